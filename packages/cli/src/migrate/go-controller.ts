import { functionBody, importsOf, withoutComments } from './go-text.js';

/** A type of Go, by the package that has it. */
export interface GoType {
  readonly path: string;
  readonly name: string;
}

/** A reconciler as its Go source has it. */
export interface GoController {
  /** The path of its source in the project. */
  readonly file: string;
  /** Its type, such as 'MemcachedReconciler'. */
  readonly reconciler: string;
  readonly for: GoType;
  readonly owns: readonly GoType[];
  readonly watches: readonly GoType[];
  /** Whether it owns or watches more, by way of variables. */
  readonly hasMore: boolean;
  /** The finalizer that it puts on objects: its text, or the name of the constant that has it. */
  readonly finalizer?: { readonly text: string } | { readonly constant: string };
  /** How many lines its Reconcile has. */
  readonly lines: number;
}

/** The controllers that a Go source sets up. */
export function goControllers(file: string, source: string): readonly GoController[] {
  const text = withoutComments(source);
  const imports = importsOf(source);
  const reconcilers = [...text.matchAll(/^func \((?:\w+\s+)?\*?(\w+)\) SetupWithManager\(/gm)];
  return reconcilers.flatMap(([, reconciler = '']): readonly GoController[] => {
    const setup = functionBody(text, reconciler, 'SetupWithManager') ?? '';
    const typesIn = (pattern: RegExp): readonly GoType[] =>
      [...setup.matchAll(pattern)].map(([, alias = '', name = '']) => ({ path: imports.get(alias) ?? alias, name }));
    const [reconciled] = typesIn(ofCall('For'));
    if (reconciled === undefined) return [];
    const owns = unique(typesIn(ofCall('Owns')));
    const watches = [...typesIn(ofCall('Watches(?:Metadata)?')), ...typesIn(/source\.Kind\([^&]*&(\w+)\.(\w+)\{/g)];
    const finalizer = finalizerIn(text);
    const lines = functionBody(source, reconciler, 'Reconcile')?.trim().split('\n').length ?? 0;
    return [
      {
        file,
        reconciler,
        for: reconciled,
        owns,
        watches: unique(watches),
        hasMore: /\.\s*(?:Owns|Watches(?:Metadata)?)\(\s*(?!&)\w/.test(setup),
        ...(finalizer !== undefined && { finalizer }),
        lines,
      },
    ];
  });
}

function ofCall(name: string): RegExp {
  return new RegExp(`\\.\\s*${name}\\(\\s*&(\\w+)\\.(\\w+)\\{`, 'g');
}

/** What is given to the functions of controller-runtime about finalizers. */
function finalizerIn(text: string): GoController['finalizer'] {
  const found = /\b(?:Add|Contains)Finalizer\([^,()]+,\s*(?:"([^"]+)"|(?:\w+\.)*(\w+)\s*\))/.exec(text);
  if (found === null) return undefined;
  const [, literal, constant = ''] = found;
  return literal === undefined ? { constant } : { text: literal };
}

function unique(types: readonly GoType[]): readonly GoType[] {
  return [...new Map(types.map((each) => [`${each.path}.${each.name}`, each])).values()];
}
