import { goFunctions } from './go-function.js';
import { type GoSetup, type GoType, goSetups } from './go-setup.js';
import { withoutComments } from './go-text.js';

/** A controller in the Go sources of a project. */
export interface GoController extends Omit<GoSetup, 'file' | 'reconciler'> {
  /** The path of the source with the Reconcile method. If no source has the method, the same as `setupFile`. */
  readonly file: string;
  /** The path of the source that builds the controller, such as with `NewControllerManagedBy`. */
  readonly setupFile: string;
  /** The type of the reconciler, such as 'MemcachedReconciler'. */
  readonly reconciler: string;
  /** The finalizer that the controller adds to objects: the text, or the name of the Go constant that contains the text. */
  readonly finalizer?: { readonly text: string } | { readonly constant: string };
  /** The number of lines of the Reconcile method. */
  readonly lines: number;
}

/** A Go type with a Reconcile method. */
export interface GoReconciler extends Pick<GoController, 'file' | 'reconciler' | 'lines'> {}

/** The controllers and reconcilers in the Go sources of a project. */
export interface GoControllers {
  readonly controllers: readonly GoController[];
  /** The reconcilers without setup code, whose kind is therefore unknown. */
  readonly unclear: readonly GoReconciler[];
}

/**
 * Finds the controllers that Go sources build, in any function and file, and the reconcilers that none of these controllers uses.
 * @param sources the Go sources by path
 */
export function goControllers(sources: ReadonlyMap<string, string>): GoControllers {
  const reconcilers = [...sources].flatMap(([file, text]) => reconcilersIn(file, text));
  const setups = [...sources].flatMap(([file, text]) => goSetups(file, text));
  const named = new Map(setups.map((setup) => [setup, namedReconciler(setup, reconcilers)]));
  const others = reconcilers.filter((each) => ![...named.values()].includes(each));
  const used = new Set<GoReconciler>();
  const controllers = setups.map((setup): GoController => {
    const found = named.get(setup) ?? onlyReconciler(setup, others);
    if (found !== undefined) used.add(found);
    const { reconciler, file: setupFile, ...declared } = setup;
    const file = found?.file ?? setupFile;
    const finalizer = finalizerIn(withoutComments(sources.get(file) ?? ''));
    return {
      ...declared,
      file,
      setupFile,
      reconciler: found?.reconciler ?? reconciler?.name ?? `${setup.for.name}Reconciler`,
      lines: found?.lines ?? 0,
      ...(finalizer !== undefined && { finalizer }),
    };
  });
  return { controllers: merged(controllers), unclear: reconcilers.filter((each) => !used.has(each)) };
}

/** Returns the reconcilers of a source: the types whose Reconcile method has a parameter of the type Request. */
function reconcilersIn(file: string, source: string): readonly GoReconciler[] {
  return goFunctions(source).flatMap(({ name, receiver, text, lines }) =>
    name === 'Reconcile' && receiver !== undefined && /^\([^)]*\bRequest\b/.test(text)
      ? [{ file, reconciler: receiver, lines }]
      : [],
  );
}

/** Returns the reconciler with the type and the package in the setup code; undefined if there is no such reconciler. */
function namedReconciler(
  { file, reconciler: type }: GoSetup,
  reconcilers: readonly GoReconciler[],
): GoReconciler | undefined {
  if (type === undefined) return undefined;
  const isThere = (folder: string): boolean =>
    type.path === '' ? folder === folderOf(file) : type.path === folder || type.path.endsWith(`/${folder}`);
  return reconcilers.find((each) => each.reconciler === type.name && isThere(folderOf(each.file)));
}

/** Returns the reconciler in the package of the setup code; undefined if the package has no reconciler or several reconcilers. */
function onlyReconciler({ file }: GoSetup, reconcilers: readonly GoReconciler[]): GoReconciler | undefined {
  const [only, ...more] = reconcilers.filter((each) => folderOf(each.file) === folderOf(file));
  return more.length === 0 ? only : undefined;
}

function folderOf(file: string): string {
  return file.split('/').slice(0, -1).join('/');
}

/** Merges controllers with the same reconciler and kind, because a project can contain several setup functions for a controller. */
function merged(controllers: readonly GoController[]): readonly GoController[] {
  const byKey = new Map<string, GoController>();
  for (const each of controllers) {
    const key = JSON.stringify([each.file, each.reconciler, each.for]);
    const other = byKey.get(key);
    byKey.set(key, other === undefined ? each : joined(other, each));
  }
  return [...byKey.values()];
}

function joined(a: GoController, b: GoController): GoController {
  return {
    ...a,
    owns: joinedTypes(a.owns, b.owns),
    watches: joinedTypes(a.watches, b.watches),
    hasMore: a.hasMore || b.hasMore,
  };
}

function joinedTypes(a: readonly GoType[], b: readonly GoType[]): readonly GoType[] {
  return [...new Map([...a, ...b].map((each) => [JSON.stringify(each), each])).values()];
}

/** Returns the finalizer that a source passes to `AddFinalizer` or `ContainsFinalizer` of controller-runtime. */
function finalizerIn(text: string): GoController['finalizer'] {
  const found = /\b(?:Add|Contains)Finalizer\([^,()]+,\s*(?:"([^"]+)"|(?:\w+\.)*(\w+)\s*\))/.exec(text);
  if (found === null) return undefined;
  const [, literal, constant = ''] = found;
  return literal === undefined ? { constant } : { text: literal };
}
