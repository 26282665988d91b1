import { CHILD_VERBS, type ChildVerb } from '../../rbac/child-verb.js';
import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Change } from '../../cache/store/change.js';
import type { Reader } from '../../client/reads/reader.js';
import type { Predicate } from './predicates.js';
import type { ReconcileKey } from './reconcile-key.js';

declare const declared: unique symbol;
/** A declaration for `owns` and `watches` that `owned`, `references` or `watch` created. `T` is the reconciled kind. */
export interface WatchDeclaration<T = KubeObject> {
  readonly [declared]?: (object: T) => void;
}

/** A kind with options, for `owns` and `reads` of a controller. */
export interface OptionalKind {
  readonly kind: KindRef;
  /**
   * Whether the controller also works if the API server does not serve the kind. While the kind is not served, reads and writes of the kind
   * fail with KIND_NOT_SERVED. See `client.isServed`. @default false
   */
  readonly optional?: boolean;
}

/** The options that `owned`, `references` and `watch` have in common. */
export interface DeclaredWatchOptions<T extends KubeObject> {
  /** Selects the changes that trigger reconciles. @default all */
  readonly when?: Predicate<T>;
  /**
   * The priority of the reconciles. By default, the priority is reduced by 100 for objects of the first list and for events that do not
   * change the version.
   * @default the priority of the reconciled object
   */
  readonly priority?: number;
  /** The namespaces to watch. @default the namespaces of the controller */
  readonly namespaces?: readonly string[];
  /**
   * Whether the controller also starts if the API server does not serve the kind. The watch is opened when the CustomResourceDefinition is
   * installed. @default false
   */
  readonly optional?: boolean;
}
/** The options of `watch` in addition to its mapper. */
export interface MappedWatchOptions<T extends KubeObject> extends DeclaredWatchOptions<T> {
  /**
   * The labels that the objects must have, or a label selector. The API server selects the objects, so that other objects use neither
   * memory nor network traffic. @default all objects
   */
  readonly labels?: Readonly<Record<string, string>> | string;
  /**
   * The fields that the objects must have, or a field selector such as 'status.phase!=Failed'. The API server supports only some fields of
   * each kind.
   * @default all objects
   */
  readonly fields?: Readonly<Record<string, string>> | string;
}

/** The context that the mapper of a `watch` receives. */
export interface MapContext<T extends KubeObject> {
  /** The change of the object. */
  readonly change: Change<T>;
  /** Reads from the cache of the controller. Supports the indexes of the controller. */
  readonly reader: Reader;
}
/** Returns the objects to reconcile because of a change. The objects are queued in the order in which they are returned. */
export type Mapper<T extends KubeObject> = (
  object: T,
  context: MapContext<T>,
) => Iterable<ReconcileKey> | Promise<Iterable<ReconcileKey>>;
/** A separate mapper for each type of change. Changes of a type without a mapper do not trigger reconciles. */
export interface MappersByChange<T extends KubeObject> {
  /** Called for each new object, and for each object of the first list. */
  readonly added?: Mapper<T>;
  /** Called once with the new object. `context.change.old` is the old object. */
  readonly modified?: Mapper<T>;
  /** Called with the last known state of the deleted object. */
  readonly deleted?: Mapper<T>;
}

/** The content of a `WatchDeclaration`. */
export type DeclaredWatch = OwnedWatch | ReferenceWatch | MappedWatch;
interface AnyWatch {
  readonly kind: KindRef;
  readonly when?: Predicate<KubeObject> | undefined;
  readonly priority?: number | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly optional?: boolean | undefined;
}
/** A watch of children. The owners are found by the owner references of the children. */
export interface OwnedWatch extends AnyWatch {
  readonly type: 'owned';
  /** Whether the watch also includes objects without the owner label. */
  readonly adopted: boolean;
  readonly everyOwner: boolean;
  readonly verbs: readonly ChildVerb[];
}
/** A watch of the objects that the reconciled objects reference. */
export interface ReferenceWatch extends AnyWatch {
  readonly type: 'references';
  readonly keys: (object: KubeObject) => ObjectKey | string | readonly (ObjectKey | string)[] | undefined;
}
/** A watch with a mapper that returns the objects to reconcile. */
export interface MappedWatch extends AnyWatch {
  readonly type: 'watch';
  readonly labels?: Readonly<Record<string, string>> | string | undefined;
  readonly fields?: Readonly<Record<string, string>> | string | undefined;
  readonly map: Mapper<KubeObject> | undefined;
  readonly on: MappersByChange<KubeObject> | undefined;
}

/**
 * Declares an owned kind with options, for `owns`. Owner references match in any version of the API group. An invalid owner reference is
 * logged once; the other owner references of the object still apply.
 *
 * @example
 * @Controller({ for: Machine, owns: [Pod, owned(ConfigMap, { adopted: true, everyOwner: true })] })
 *
 * @example
 * owned(Job, { verbs: ['create'] }) // created once: the Role of the operator does not allow patch and delete
 */
export function owned<T extends KubeObject>(
  kind: KindRef<T>,
  options: DeclaredWatchOptions<T> & {
    /** Whether the watch also includes objects without the owner label. @default false */
    readonly adopted?: boolean;
    /**
     * Whether changes of a child trigger reconciles of all owners of the reconciled kind, and not only of the controller owner. @default
     * false
     */
    readonly everyOwner?: boolean;
    /**
     * The operations of the controller on the children. The generated Role allows only these operations. `apply` requires create and patch.
     * @default all three
     */
    readonly verbs?: readonly ChildVerb[];
  } = {},
): WatchDeclaration {
  const { adopted = false, everyOwner = false, verbs = CHILD_VERBS, ...common } = options;
  return declare({ ...erased(common), type: 'owned', kind, adopted, everyOwner, verbs });
}

/**
 * Declares that the reconciled objects reference objects of another kind. When a referenced object changes, the objects that reference it
 * are reconciled. `keys` returns the keys or the names that a reconciled object references. A name without a namespace refers to the
 * namespace of the reconciled object. '' and undefined mean no reference. The controller creates the required index.
 *
 * @example
 * references(Secret, (machine: Machine) => machine.spec.secretName)
 */
export function references<T extends KubeObject, R extends KubeObject>(
  kind: KindRef<R>,
  keys: (object: T) => ObjectKey | string | readonly (ObjectKey | string)[] | undefined,
  options: DeclaredWatchOptions<R> = {},
): WatchDeclaration<T> {
  return declare({ ...erased(options), type: 'references', kind, keys: keys as ReferenceWatch['keys'] });
}

/**
 * Declares a watch of another kind, for `watches`. The mapper returns the objects to reconcile. If an object is modified, the controller
 * calls `map` for the old and the new object, and reconciles each returned object once. Use `on` instead of `map` to pass one mapper per
 * type of change.
 *
 * Errors and invalid keys of a mapper are logged and counted, and do not affect other objects. If the promise of a mapper rejects, the
 * mapper is retried with back-off, except after programming errors and not-found errors.
 *
 * @example
 * watch(Node, { map: (node) => [{ name: node.metadata.labels?.pool ?? 'default' }], when: changed((node) => node.spec.unschedulable) })
 */
export function watch<T extends KubeObject>(
  kind: KindRef<T>,
  options: MappedWatchOptions<T> & {
    readonly map?: Mapper<T>;
    readonly on?: MappersByChange<T>;
  },
): WatchDeclaration {
  const map = options.map as unknown as MappedWatch['map'];
  const on = options.on as unknown as MappedWatch['on'];
  return declare({ ...erased(options), type: 'watch', kind, map, on });
}

/** Converts an optional kind of `owns` to an owned kind. Returns any other declaration unchanged. */
export function ownedDeclaration(
  declaration: KindRef | OptionalKind | WatchDeclaration<never>,
): KindRef | WatchDeclaration<never> {
  if (!isOptionalKind(declaration)) return declaration;
  const { kind, optional = false } = declaration;
  return owned(kind, { optional });
}

/** Returns whether a value has the form `{ kind, optional }`, and not the form of the declarations that this module creates. */
export function isOptionalKind(declaration: unknown): declaration is OptionalKind {
  return typeof declaration === 'object' && declaration !== null && 'kind' in declaration && !('type' in declaration);
}

/** Returns the problem of the fields of an `OptionalKind`, as a sentence. Returns undefined if the fields are valid. */
export function optionalKindProblem(declaration: OptionalKind): string | undefined {
  const unknown = Object.keys(declaration).find((field) => field !== 'kind' && field !== 'optional');
  if (unknown !== undefined) return `unknown field '${unknown}' next to 'kind': use { kind, optional: true }`;
  const { optional } = declaration;
  return optional === undefined || typeof optional === 'boolean' ? undefined : `'optional' must be true or false`;
}

/** Returns the content of a declaration. A bare kind is treated like an owned kind without options. */
export function declaredWatch(declaration: KindRef | WatchDeclaration<never>): DeclaredWatch {
  if (typeof declaration === 'function') {
    return { type: 'owned', kind: declaration, adopted: false, everyOwner: false, verbs: CHILD_VERBS };
  }
  return declaration as DeclaredWatch;
}

/** Returns the problem of a watch, as a sentence with the fix. Returns undefined if the watch is valid. */
export function watchProblem(watch: DeclaredWatch | undefined): string | undefined {
  if (typeof watch !== 'object' || watch === null || !('type' in watch)) {
    return `${valueText(watch)} is not a watch: use a kind, owned(…), references(…) or watch(…)`;
  }
  const name = nameOf(watch.kind);
  if (name instanceof KubewrightError) return `${watch.type}(…) has no valid kind: ${name.message}`;
  const { when, priority, optional } = watch;
  if (optional !== undefined && typeof optional !== 'boolean') {
    return `'optional' of ${watch.type}(${name}) must be true or false`;
  }
  if (when !== undefined && typeof when !== 'function') return `'when' of ${watch.type}(${name}) is not a function`;
  if (priority !== undefined && !Number.isFinite(priority))
    return `'priority' of ${watch.type}(${name}) is not a number`;
  if (watch.type === 'references' && typeof watch.keys !== 'function') {
    return `references(${name}) has no function that returns the names: use references(${name}, (object) => …)`;
  }
  if (watch.type === 'owned') return verbProblem(watch, name);
  return watch.type === 'watch' ? mapperProblem(watch, name) : undefined;
}

function verbProblem({ verbs }: OwnedWatch, name: string): string | undefined {
  const known = Array.isArray(verbs) && verbs.every((verb) => CHILD_VERBS.includes(verb));
  return known ? undefined : `'verbs' of owned(${name}) must be a list of ${CHILD_VERBS.join(', ')}`;
}

function mapperProblem({ map, on }: MappedWatch, name: string): string | undefined {
  const remedy = `use watch(${name}, { map: (object) => [{ namespace, name }] })`;
  if (map === undefined && on === undefined) return `watch(${name}) has neither 'map' nor 'on': ${remedy}`;
  if (map !== undefined && on !== undefined) return `watch(${name}) has both 'map' and 'on': use only one of them`;
  const given = map === undefined ? Object.entries(on ?? {}) : [['map', map] as const];
  const wrong = given.find(([, mapper]) => mapper !== undefined && typeof mapper !== 'function');
  if (wrong !== undefined) return `'${wrong[0]}' of watch(${name}) is not a function: ${remedy}`;
  const unknown = Object.keys(on ?? {}).find((type) => !['added', 'modified', 'deleted'].includes(type));
  return unknown === undefined
    ? undefined
    : `'on' of watch(${name}) supports added, modified and deleted, not '${unknown}'`;
}
function nameOf(kind: KindRef): string | KubewrightError {
  try {
    return kindOf(kind).kind;
  } catch (error) {
    if (error instanceof KubewrightError) return error;
    throw error;
  }
}

function declare(watch: DeclaredWatch): WatchDeclaration {
  return Object.freeze(watch) as WatchDeclaration;
}
/**
 * Changes only the type of the options: omits the object type of the predicate. The predicate is called only with objects of the declared
 * kind.
 */
function erased<O extends DeclaredWatchOptions<never>>(options: O): Omit<O, 'when'> & Pick<AnyWatch, 'when'> {
  return options as unknown as Omit<O, 'when'> & Pick<AnyWatch, 'when'>;
}
