import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Change } from '../cache/change.js';
import type { Reader } from '../client/reader.js';
import type { Predicate } from './predicates.js';

declare const declared: unique symbol;
/** A watch as `owns` and `watches` take it; made by `owned`, `references` or `watch`. `T` is the kind that is reconciled. */
export interface WatchDeclaration<T = KubeObject> {
  readonly [declared]?: (object: T) => void;
}

/** What is handed to the mapper of a `watch` beside the object. */
export interface MapContext<T extends KubeObject> {
  readonly change: Change<T>;
  readonly reader: Reader;
}
/** The data behind a `WatchDeclaration`. */
export type DeclaredWatch = OwnedWatch | ReferenceWatch | MappedWatch;
/** Children, found by their controller reference. */
export interface OwnedWatch {
  readonly type: 'owned';
  readonly kind: KindRef;
  readonly when?: Predicate<KubeObject> | undefined;
  /** Also objects without our label are watched. */
  readonly adopted: boolean;
}
/** Objects that the reconciled object names. */
export interface ReferenceWatch {
  readonly type: 'references';
  readonly kind: KindRef;
  readonly when?: Predicate<KubeObject> | undefined;
  readonly keys: (object: KubeObject) => ObjectKey | string | readonly (ObjectKey | string)[] | undefined;
}
/** Objects of which a function says whom they concern. */
export interface MappedWatch {
  readonly type: 'watch';
  readonly kind: KindRef;
  readonly when?: Predicate<KubeObject> | undefined;
  readonly labels?: Readonly<Record<string, string>> | string | undefined;
  readonly map: (
    object: KubeObject,
    context: MapContext<KubeObject>,
  ) => Iterable<ObjectKey> | Promise<Iterable<ObjectKey>>;
}

/** An owned kind with a predicate, or of which also objects without our label are watched. */
export function owned<T extends KubeObject>(
  kind: KindRef<T>,
  options: { readonly when?: Predicate<T>; readonly adopted?: boolean },
): WatchDeclaration {
  return declare({ type: 'owned', kind, when: erased(options.when), adopted: options.adopted ?? false });
}

/**
 * The objects of another kind that an object names; a plain name means its own namespace, '' and undefined mean none. When one of
 * them changes, whoever names it is reconciled. The index that this takes is made and kept by the framework.
 */
export function references<T extends KubeObject, R extends KubeObject>(
  kind: KindRef<R>,
  keys: (object: T) => ObjectKey | string | readonly (ObjectKey | string)[] | undefined,
  options: { readonly when?: Predicate<R> } = {},
): WatchDeclaration<T> {
  return declare({ type: 'references', kind, when: erased(options.when), keys: keys as ReferenceWatch['keys'] });
}

/**
 * Another kind, and the objects to reconcile when it changes. On a modification `map` is called for the old and for the new
 * object and the union is taken.
 */
export function watch<T extends KubeObject>(
  kind: KindRef<T>,
  options: {
    readonly map: (object: T, context: MapContext<T>) => Iterable<ObjectKey> | Promise<Iterable<ObjectKey>>;
    readonly when?: Predicate<T>;
    readonly labels?: Readonly<Record<string, string>> | string;
  },
): WatchDeclaration {
  const map = options.map as unknown as MappedWatch['map'];
  return declare({ type: 'watch', kind, when: erased(options.when), labels: options.labels, map });
}

/** The data of a declaration. A bare kind is an owned kind with neither option. */
export function declaredWatch(declaration: KindRef | WatchDeclaration<never>): DeclaredWatch {
  if (typeof declaration === 'function') return { type: 'owned', kind: declaration, adopted: false };
  return declaration as DeclaredWatch;
}

function declare(watch: DeclaredWatch): WatchDeclaration {
  return Object.freeze(watch) as WatchDeclaration;
}
/** A predicate is only ever called with objects of the kind that it was declared with. */
function erased<T extends KubeObject>(when: Predicate<T> | undefined): Predicate<KubeObject> | undefined {
  return when as Predicate<KubeObject> | undefined;
}
