import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Change } from '../../cache/change.js';
import type { Reader } from '../../client/reader.js';
import type { Predicate } from './predicates.js';
import type { ReconcileKey } from './reconcile-key.js';

declare const declared: unique symbol;
/** A watch as `owns` and `watches` take it; made by `owned`, `references` or `watch`. `T` is the kind that is reconciled. */
export interface WatchDeclaration<T = KubeObject> {
  readonly [declared]?: (object: T) => void;
}

/** A kind with options, for `owns` and `reads`. */
export interface OptionalKind {
  readonly kind: KindRef;
  /**
   * Whether the controller starts without the kind. While the API server does not serve the kind, what is declared of it is dormant:
   * reads and writes fail with KIND_NOT_SERVED. See `client.isServed`. @default false
   */
  readonly optional?: boolean;
}

/** What `owned`, `references` and `watch` take alike. */
export interface DeclaredWatchOptions<T extends KubeObject> {
  /** Which changes count. @default all */
  readonly when?: Predicate<T>;
  /**
   * That of the objects which it leads to. Without it, objects of the first list and repetitions of a version come 100 lower than what
   * changed just now. @default that of the reconciled object
   */
  readonly priority?: number;
  /** Namespaces to watch. @default those of the controller */
  readonly namespaces?: readonly string[];
  /**
   * Whether the controller starts while the API server does not serve the kind. The watch is then dormant, and opens when the
   * CustomResourceDefinition is installed. @default false
   */
  readonly optional?: boolean;
}
/** Objects of another kind for which a function says whom they concern. */
export interface MappedWatchOptions<T extends KubeObject> extends DeclaredWatchOptions<T> {
  /** Equal labels, or a selector. The server selects, so the others cost nothing. @default all objects */
  readonly labels?: Readonly<Record<string, string>> | string;
  /** Equal fields, or a selector such as 'status.phase!=Failed'. Which fields there are, the server decides. @default all objects */
  readonly fields?: Readonly<Record<string, string>> | string;
}

/** What is handed to the mapper of a `watch` beside the object. */
export interface MapContext<T extends KubeObject> {
  /** What happened to the object. */
  readonly change: Change<T>;
  /** Reads from the cache, with the indexes of the controller. */
  readonly reader: Reader;
}
/** The objects to reconcile because of a change, in the order in which they shall be. */
export type Mapper<T extends KubeObject> = (
  object: T,
  context: MapContext<T>,
) => Iterable<ReconcileKey> | Promise<Iterable<ReconcileKey>>;
/** A mapper for each way in which an object may change; one that is absent means that such changes concern nobody. */
export interface MappersByChange<T extends KubeObject> {
  /** Called for an object that is new, and for each of the first list. */
  readonly added?: Mapper<T>;
  /** Called once, for the new object; `context.change.old` is the old one. */
  readonly modified?: Mapper<T>;
  /** Called with the object as it was last. */
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
/** What may be done with children, beside reading them. */
export type ChildVerb = 'create' | 'patch' | 'delete';
const CHILD_VERBS: readonly ChildVerb[] = ['create', 'patch', 'delete'];

/** Children, found by their owner references. */
export interface OwnedWatch extends AnyWatch {
  readonly type: 'owned';
  /** Also objects without our label are watched. */
  readonly adopted: boolean;
  readonly everyOwner: boolean;
  readonly verbs: readonly ChildVerb[];
}
/** Objects that the reconciled object names. */
export interface ReferenceWatch extends AnyWatch {
  readonly type: 'references';
  readonly keys: (object: KubeObject) => ObjectKey | string | readonly (ObjectKey | string)[] | undefined;
}
/** Objects of which a function says whom they concern. */
export interface MappedWatch extends AnyWatch {
  readonly type: 'watch';
  readonly labels?: Readonly<Record<string, string>> | string | undefined;
  readonly fields?: Readonly<Record<string, string>> | string | undefined;
  readonly map: Mapper<KubeObject> | undefined;
  readonly on: MappersByChange<KubeObject> | undefined;
}

/**
 * An owned kind with a predicate or other options. Owners are told by group and kind, in whichever version; an owner reference that
 * makes no sense is told once and does not keep the others from counting.
 *
 * @example
 * @Controller({ for: Machine, owns: [Pod, owned(ConfigMap, { adopted: true, everyOwner: true })] })
 *
 * @example
 * owned(Job, { verbs: ['create'] }) // made once: the role of the operator cannot change or delete it
 */
export function owned<T extends KubeObject>(
  kind: KindRef<T>,
  options: DeclaredWatchOptions<T> & {
    /** Also objects without our label are watched. @default false */
    readonly adopted?: boolean;
    /** All owners of the reconciled kind are reconciled, and not only the one that controls the object. @default false */
    readonly everyOwner?: boolean;
    /** What the controller does with them, of which its role is made. `apply` takes create and patch. @default all three */
    readonly verbs?: readonly ChildVerb[];
  } = {},
): WatchDeclaration {
  const { adopted = false, everyOwner = false, verbs = CHILD_VERBS, ...common } = options;
  return declare({ ...erased(common), type: 'owned', kind, adopted, everyOwner, verbs });
}

/**
 * The objects of another kind that an object names; a plain name means its own namespace, '' and undefined mean none. When one of
 * them changes, whoever names it is reconciled. The index that this takes is made and kept by the framework.
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
 * Another kind, and the objects to reconcile when it changes. On a modification `map` is called for the old and for the new object and
 * the union is taken, each object once; with `on` there is a function for each way to change. What they throw, or return that is no
 * key, is logged and counted and keeps no other object from being reconciled; one that fails while it waits for something is called
 * again until it answers.
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

/** A declaration under `owns`: a kind, optional or not, is an owned kind without other options. */
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
export function optionalKindMistake(declaration: OptionalKind): string | undefined {
  const unknown = Object.keys(declaration).find((field) => field !== 'kind' && field !== 'optional');
  if (unknown !== undefined) return `there is no '${unknown}' beside 'kind': write { kind, optional: true }`;
  const { optional } = declaration;
  return optional === undefined || typeof optional === 'boolean' ? undefined : `'optional' must be true or false`;
}

/** The data of a declaration. A bare kind is an owned kind without options. */
export function declaredWatch(declaration: KindRef | WatchDeclaration<never>): DeclaredWatch {
  if (typeof declaration === 'function') {
    return { type: 'owned', kind: declaration, adopted: false, everyOwner: false, verbs: CHILD_VERBS };
  }
  return declaration as DeclaredWatch;
}

/** What is wrong with a watch, as a sentence with its cure; undefined when nothing is. */
export function watchMistake(watch: DeclaredWatch | undefined): string | undefined {
  if (typeof watch !== 'object' || watch === null || !('type' in watch)) {
    return `${String(watch)} is not a watch: write a kind, owned(…), references(…) or watch(…)`;
  }
  const name = nameOf(watch.kind);
  if (name instanceof KubewrightError) return `${watch.type}(…) has no kind: ${name.message}`;
  const { when, priority, optional } = watch;
  if (optional !== undefined && typeof optional !== 'boolean') {
    return `'optional' of ${watch.type}(${name}) must be true or false`;
  }
  if (when !== undefined && typeof when !== 'function') return `'when' of ${watch.type}(${name}) is no function`;
  if (priority !== undefined && !Number.isFinite(priority)) return `'priority' of ${watch.type}(${name}) is no number`;
  if (watch.type === 'references' && typeof watch.keys !== 'function') {
    return `references(${name}) has no function that gives the names: write references(${name}, (object) => …)`;
  }
  if (watch.type === 'owned') return verbMistake(watch, name);
  return watch.type === 'watch' ? mapperMistake(watch, name) : undefined;
}

function verbMistake({ verbs }: OwnedWatch, name: string): string | undefined {
  const known = Array.isArray(verbs) && verbs.every((verb) => CHILD_VERBS.includes(verb));
  return known ? undefined : `'verbs' of owned(${name}) is no list of ${CHILD_VERBS.join(', ')}`;
}

function mapperMistake({ map, on }: MappedWatch, name: string): string | undefined {
  const cure = `write watch(${name}, { map: (object) => [{ namespace, name }] })`;
  if (map === undefined && on === undefined) return `watch(${name}) says nobody whom it concerns: ${cure}`;
  if (map !== undefined && on !== undefined) return `watch(${name}) has both 'map' and 'on': choose one of them`;
  const given = map === undefined ? Object.entries(on ?? {}) : [['map', map] as const];
  const wrong = given.find(([, mapper]) => mapper !== undefined && typeof mapper !== 'function');
  if (wrong !== undefined) return `'${wrong[0]}' of watch(${name}) is no function: ${cure}`;
  const unknown = Object.keys(on ?? {}).find((type) => !['added', 'modified', 'deleted'].includes(type));
  return unknown === undefined
    ? undefined
    : `'on' of watch(${name}) knows added, modified and deleted, not '${unknown}'`;
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
/** A predicate is only ever called with objects of the kind that it was declared with. */
function erased<O extends DeclaredWatchOptions<never>>(options: O): Omit<O, 'when'> & Pick<AnyWatch, 'when'> {
  return options as unknown as Omit<O, 'when'> & Pick<AnyWatch, 'when'>;
}
