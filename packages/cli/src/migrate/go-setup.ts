import { type GoFunction, goFunctions } from './go-function.js';
import { importsOf, withoutComments } from './go-text.js';

/** A Go type and the path of its package; '' for the package of the source itself. */
export interface GoType {
  readonly path: string;
  readonly name: string;
}

/** The place where a Go source builds a controller. */
export interface GoSetup {
  /** The path of the source. */
  readonly file: string;
  /** The type of the reconciler; undefined if the source does not name the type there. */
  readonly reconciler?: GoType;
  readonly for: GoType;
  readonly owns: readonly GoType[];
  readonly watches: readonly GoType[];
  /** Whether the controller owns or watches further kinds through variables. */
  readonly hasMore: boolean;
}

/** Matches an empty object in Go code: `&v1.Pod{`, `&Pod{`, or `new(v1.Pod)`. */
const OBJECT = String.raw`(?:&|new\()(?:(\w+)\.)?(\w+)[{)]`;

/** Returns every place in a Go source that builds a controller, in any function. Excludes builders of webhooks. */
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

/** Returns the parts of a function that build one controller each. */
function builders({ name, text }: GoFunction): readonly string[] {
  const starts = [...text.matchAll(/(\w*)ManagedBy[[(]/g)];
  const parts = starts.map(({ 1: what = '', index }, at) => ({ what, text: text.slice(index, starts[at + 1]?.index) }));
  const ofControllers = parts.filter(({ what }) => !what.endsWith('Webhook')).map((part) => part.text);
  // The builder can be a parameter, and older programs call controller.New.
  const isSetup =
    starts.length === 0 && (/^(?:setup|add)/i.test(name) || /\b(?:Complete|controller\.New)\(/.test(text));
  return isSetup ? [text] : ofControllers;
}

function ofCall(name: string): RegExp {
  return new RegExp(`\\.\\s*${name}\\(\\s*${OBJECT}`, 'g');
}

const SOURCE_KIND = new RegExp(`source\\.(?:Typed)?Kind[({][^&]*?${OBJECT}`, 'g');
/** A watch that enqueues the watched objects themselves is equivalent to For. */
const ENQUEUES_ITSELF = new RegExp(`${OBJECT}\\}{0,2}\\)?,\\s*&handler\\.(?:Typed)?EnqueueRequestForObject\\b`, 'g');

/** Returns the type of the argument of `Complete` or `Build`, or the receiver of the method that calls them. */
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
 * Reports whether a type is the type of an object. Before controller-runtime 0.15, the argument of `Watches` is a `source.Kind` that
 * contains the object.
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
