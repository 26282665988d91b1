import { type GoFunction, goFunctions } from './go-function.js';
import { importsOf, withoutComments } from './go-text.js';

/** A Go type: the import path of the package, or '' for the package of the source itself, and the name of the type. */
export interface GoType {
  readonly path: string;
  readonly name: string;
}

/** The Go code that builds a controller with the builder of controller-runtime. */
export interface GoSetup {
  /** The path of the source. */
  readonly file: string;
  /** The type of the reconciler; undefined if the code does not contain the type. */
  readonly reconciler?: GoType;
  readonly for: GoType;
  readonly owns: readonly GoType[];
  readonly watches: readonly GoType[];
  /** Whether a call of Owns or Watches has a variable as the argument, so that the kind is unknown. */
  readonly hasMore: boolean;
}

/** Matches the start of an object in Go code: `&v1.Pod{`, `&Pod{`, or `new(v1.Pod)`. */
const OBJECT = String.raw`(?:&|new\()(?:(\w+)\.)?(\w+)[{)]`;

/** Returns all controllers that the functions of a Go source build. Excludes builders of webhooks. */
export function goSetups(file: string, source: string): readonly GoSetup[] {
  const text = withoutComments(source);
  const imports = importsOf(source);
  const pathOf = (alias: string | undefined): string =>
    alias === undefined ? (imports.get('.') ?? '') : (imports.get(alias) ?? alias);
  return goFunctions(text).flatMap((each) =>
    builders(each).flatMap((builder): readonly GoSetup[] => {
      const found = (pattern: RegExp): readonly GoType[] =>
        [...builder.matchAll(pattern)].map(([, alias, name = '']) => ({ path: pathOf(alias), name }));
      const [reconciled] = [...found(ofCall('For')), ...found(ENQUEUES_ITSELF)];
      if (reconciled === undefined) return [];
      const watches = [...found(ofCall('Watches(?:Metadata)?')), ...found(SOURCE_KIND)].filter(isObject);
      const reconciler = reconcilerIn(builder, each, pathOf);
      return [
        {
          file,
          for: reconciled,
          owns: unique(found(ofCall('Owns'))),
          watches: unique(watches).filter((type) => !isSame(type, reconciled)),
          hasMore: /\.\s*(?:Owns|Watches(?:Metadata)?)\(\s*(?!&|new\()\w/.test(builder),
          ...(reconciler !== undefined && { reconciler }),
        },
      ];
    }),
  );
}

/** Splits a function into texts that build one controller each. */
function builders({ name, text }: GoFunction): readonly string[] {
  const starts = [...text.matchAll(/(\w*)ManagedBy[[(]/g)];
  const parts = starts.map(({ 1: what = '', index }, at) => ({ what, text: text.slice(index, starts[at + 1]?.index) }));
  const ofControllers = parts.filter(({ what }) => !what.endsWith('Webhook')).map((part) => part.text);
  // A function without ManagedBy can have a builder as a parameter, or call controller.New as older programs do.
  const isSetup =
    starts.length === 0 && (/^(?:setup|add)/i.test(name) || /\b(?:Complete|controller\.New)\(/.test(text));
  return isSetup ? [text] : ofControllers;
}

function ofCall(name: string): RegExp {
  return new RegExp(`\\.\\s*${name}\\(\\s*${OBJECT}`, 'g');
}

const SOURCE_KIND = new RegExp(`source\\.(?:Typed)?Kind[({][^&]*?${OBJECT}`, 'g');
/** Matches a watch with EnqueueRequestForObject, which enqueues the watched objects themselves and is therefore equivalent to For. */
const ENQUEUES_ITSELF = new RegExp(`${OBJECT}\\}{0,2}\\)?,\\s*&handler\\.(?:Typed)?EnqueueRequestForObject\\b`, 'g');

/**
 * Returns the type of the argument of `Complete` or `Build`. If the type is unknown, returns the receiver of a method, and undefined for a
 * function.
 */
function reconcilerIn(
  builder: string,
  { receiver, self, text }: GoFunction,
  pathOf: (alias: string | undefined) => string,
): GoType | undefined {
  const given = /\.\s*(?:Complete|Build)\(([\s\S]*)$/.exec(builder)?.[1] ?? '';
  const [, alias, literal] = /^(?:[\w.]+\([^&()]*)?&?(?:(\w+)\.)?(\w+)\{/.exec(given) ?? [];
  if (literal !== undefined) return { path: pathOf(alias), name: literal };
  const variable = /^(\w+)\)/.exec(given)?.[1];
  if (variable !== undefined && variable !== self) {
    const made = new RegExp(`\\b${variable}\\s*:?=\\s*&?(?:(\\w+)\\.)?(?:New)?(\\w+)[{(]`).exec(text);
    if (made !== null) return { path: pathOf(made[1]), name: made[2] ?? '' };
  }
  return receiver === undefined ? undefined : { path: '', name: receiver };
}

/**
 * Reports whether a type is the type of an API object. Returns false for `source.Kind`, which contains the object in the argument of
 * `Watches` before controller-runtime 0.15.
 */
function isObject({ path, name }: GoType): boolean {
  return !(name === 'Kind' && /(?:^|\/)source$/.test(path));
}

function unique(types: readonly GoType[]): readonly GoType[] {
  return types.filter((each, at) => types.findIndex((other) => isSame(each, other)) === at);
}

function isSame(a: GoType, b: GoType): boolean {
  return a.path === b.path && a.name === b.name;
}
