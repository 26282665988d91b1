import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Change } from './change.js';
import type { ListOptions } from './list-options.js';

/** The cached objects of one kind: reads without waiting. */
export interface Informer<T extends KubeObject> extends AsyncDisposable {
  get(key: ObjectKey): T | undefined;
  list(options?: ListOptions<T>): readonly T[];
  readonly size: number;
  /** Resolves when the first list is in the store. */
  synced(): Promise<void>;
  /** Every change from now on, first the objects that are there; ends when the signal is aborted or the informer closed. */
  changes(options?: { readonly signal?: AbortSignal }): AsyncIterable<Change<T>>;
}
/** The informers of a cluster, one for each kind. */
export abstract class Cache {
  /** Opens the informer of a kind and waits for its first list; the last one to dispose of it stops the watch. */
  abstract informer<T extends KubeObject>(
    kind: KindRef<T>,
    options?: Pick<ListOptions<T>, 'namespace' | 'labels'>,
  ): Promise<Informer<T>>;
}
