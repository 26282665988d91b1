import { CHILD_VERBS, type ChildVerb } from '../../rbac/child-verb.js';
import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Change } from '../../cache/store/change.js';
import type { Reader } from '../../client/reads/reader.js';
import type { Predicate } from './predicates.js';
import type { ReconcileKey } from './reconcile-key.js';

declare const declared: unique symbol;
/** A watch for `owns` and `watches`, created by `owned`, `references` or `watch`. `T` is the reconciled kind. */
export interface WatchDeclaration<T = KubeObject> {
  readonly [declared]?: (object: T) => void;
}

/** A kind with options, for `owns` and `reads`. */
export interface OptionalKind {
  readonly kind: KindRef;
  /**
   * Whether the controller starts without the kind. While the API server does not serve the kind, its declarations are dormant: reads and
   * writes fail with KIND_NOT_SERVED. See `client.isServed`. @default false
   */
  readonly optional?: boolean;
}

/** The common options of `owned`, `references` and `watch`. */
export interface DeclaredWatchOptions<T extends KubeObject> {
  /** Selects the changes that trigger reconciles. @default all */
  readonly when?: Predicate<T>;
  /**
   * The priority of the reconciles. If not set, objects of the first list and repeated versions have a priority that is 100 lower.
   * @default the priority of the reconciled object
   */
  readonly priority?: number;
  /** The namespaces to watch. @default the namespaces of the controller */
  readonly namespaces?: readonly string[];
  /**
   * Whether the controller starts while the API server does not serve the kind. The watch is then dormant, and opens when the
   * CustomResourceDefinition is installed. @default false
   */
  readonly optional?: boolean;
}
/** The options of a watch whose mapper returns the objects to reconcile. */
export interface MappedWatchOptions<T extends KubeObject> extends DeclaredWatchOptions<T> {
  /**
   * The labels that the objects must have, or a selector. The API server selects the objects, so other objects cause no cost. @default all
   * objects
   */
  readonly labels?: Readonly<Record<string, string>> | string;
  /**
   * The fields that the objects must have, or a selector such as 'status.phase!=Failed'. The API server determines the supported fields.
   * @default all objects
   */
  readonly fields?: Readonly<Record<string, string>> | string;
}

/** The context of the mapper of a `watch`. */
export interface MapContext<T extends KubeObject> {
  /** The change of the object. */
  readonly change: Change<T>;
  /** Reads from the cache, with the indexes of the controller. */
  readonly reader: Reader;
}
/** Returns the objects to reconcile because of a change, in the desired order. */
export type Mapper<T extends KubeObject> = (
  object: T,
  context: MapContext<T>,
) => Iterable<ReconcileKey> | Promise<Iterable<ReconcileKey>>;
/** One mapper for each type of change. Changes of a type without a mapper trigger no reconciles. */
export interface MappersByChange<T extends KubeObject> {
  /** Called for a new object, and for each object of the first list. */
  readonly added?: Mapper<T>;
  /** Called once, for the new object; `context.change.old` is the old one. */
  readonly modified?: Mapper<T>;
  /** Called with the last known state of the object. */
  readonly deleted?: Mapper<T>;
}

/** The data behind a `WatchDeclaration`. */
export type DeclaredWatch = OwnedWatch | ReferenceWatch | MappedWatch;
interface AnyWatch {
  readonly kind: KindRef;
  readonly when?: Predicate<KubeObject> | undefined;
  readonly priority?: number | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly optional?: boolean | undefined;
}
/** Children, found by their owner references. */
export interface OwnedWatch extends AnyWatch {
  readonly type: 'owned';
  /** Whether the watch includes objects without the owner label. */
  readonly adopted: boolean;
  readonly everyOwner: boolean;
  readonly verbs: readonly ChildVerb[];
}
/** Objects that the reconciled object references. */
export interface ReferenceWatch extends AnyWatch {
  readonly type: 'references';
  readonly keys: (object: KubeObject) => ObjectKey | string | readonly (ObjectKey | string)[] | undefined;
}
/** Objects whose mapper returns the objects to reconcile. */
export interface MappedWatch extends AnyWatch {
  readonly type: 'watch';
  readonly labels?: Readonly<Record<string, string>> | string | undefined;
  readonly fields?: Readonly<Record<string, string>> | string | undefined;
  readonly map: Mapper<KubeObject> | undefined;
  readonly on: MappersByChange<KubeObject> | undefined;
}

/**
 * Declares an owned kind with a predicate or other options. Owners are matched by group and kind, in any version. An invalid owner
 * reference is logged once, and the other owner references still apply.
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
    /** Whether the watch includes objects without the owner label. @default false */
    readonly adopted?: boolean;
    /** Whether to reconcile all owners of the reconciled kind, and not only the controlling owner. @default false */
    readonly everyOwner?: boolean;
    /**
     * The operations of the controller on the children, from which its Role is generated. `apply` needs create and patch.
     * @default all three
     */
    readonly verbs?: readonly ChildVerb[];
  } = {},
): WatchDeclaration {
  const { adopted = false, everyOwner = false, verbs = CHILD_VERBS, ...common } = options;
  return declare({ ...erased(common), type: 'owned', kind, adopted, everyOwner, verbs });
}

/**
 * Declares the objects of another kind that an object references. A plain name is in the namespace of the object; '' and undefined mean no
 * reference. When a referenced object changes, the objects that reference it are reconciled. The framework creates and maintains the
 * required index.
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
 * Declares a watch of another kind, with a mapper that returns the objects to reconcile. On a modification, the controller calls `map` for
 * the old and the new object, and reconciles each returned object once. `on` has one mapper for each type of change instead. Errors and
 * invalid keys of a mapper are logged and counted, and do not affect other objects. A mapper that rejects is retried with back-off, except
 * after programming errors and not-found errors.
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

/** Returns a declaration of `owns`. An optional kind becomes an owned kind without other options. */
export function ownedDeclaration(
  declaration: KindRef | OptionalKind | WatchDeclaration<never>,
): KindRef | WatchDeclaration<never> {
  if (!isOptionalKind(declaration)) return declaration;
  const { kind, optional = false } = declaration;
  return owned(kind, { optional });
}

/** Returns whether a value has the form of an `OptionalKind`: an object with a kind that the functions of this module did not create. */
export function isOptionalKind(declaration: unknown): declaration is OptionalKind {
  return typeof declaration === 'object' && declaration !== null && 'kind' in declaration && !('type' in declaration);
}

/** Returns what is wrong with the fields of an `OptionalKind`, as a sentence; undefined if they are valid. */
export function optionalKindProblem(declaration: OptionalKind): string | undefined {
  const unknown = Object.keys(declaration).find((field) => field !== 'kind' && field !== 'optional');
  if (unknown !== undefined) return `unknown field '${unknown}' next to 'kind': use { kind, optional: true }`;
  const { optional } = declaration;
  return optional === undefined || typeof optional === 'boolean' ? undefined : `'optional' must be true or false`;
}

/** Returns the data of a declaration. A bare kind is an owned kind without options. */
export function declaredWatch(declaration: KindRef | WatchDeclaration<never>): DeclaredWatch {
  if (typeof declaration === 'function') {
    return { type: 'owned', kind: declaration, adopted: false, everyOwner: false, verbs: CHILD_VERBS };
  }
  return declaration as DeclaredWatch;
}

/** Returns what is wrong with a watch, as a sentence with the fix; undefined if the watch is valid. */
export function watchProblem(watch: DeclaredWatch | undefined): string | undefined {
  if (typeof watch !== 'object' || watch === null || !('type' in watch)) {
    return `${String(watch)} is not a watch: use a kind, owned(…), references(…) or watch(…)`;
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
  const cure = `use watch(${name}, { map: (object) => [{ namespace, name }] })`;
  if (map === undefined && on === undefined) return `watch(${name}) has neither 'map' nor 'on': ${cure}`;
  if (map !== undefined && on !== undefined) return `watch(${name}) has both 'map' and 'on': use only one of them`;
  const given = map === undefined ? Object.entries(on ?? {}) : [['map', map] as const];
  const wrong = given.find(([, mapper]) => mapper !== undefined && typeof mapper !== 'function');
  if (wrong !== undefined) return `'${wrong[0]}' of watch(${name}) is not a function: ${cure}`;
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
/** Removes the object type of the predicate. The predicate is only called with objects of the declared kind. */
function erased<O extends DeclaredWatchOptions<never>>(options: O): Omit<O, 'when'> & Pick<AnyWatch, 'when'> {
  return options as unknown as Omit<O, 'when'> & Pick<AnyWatch, 'when'>;
}
