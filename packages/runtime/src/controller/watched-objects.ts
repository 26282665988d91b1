import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { KubewrightError } from '@kubewright/api/errors';
import type { Index, IndexMatch } from '../cache/store/index-declaration.js';
import type { ChangeHandler, HandlerRegistration } from '../cache/informer/change-handler.js';

/** The status of the watch of a kind. */
export interface WatchStatus {
  /** In the state 'watching', each change is a single version. In other states, one change may combine several versions. */
  readonly state: { readonly name: string };
  /** Whether the first list is complete. */
  readonly synced: boolean;
  /** The number of lists that reached the store. When the number increases, a change may combine several versions. */
  readonly lists: number;
  /** The error that currently prevents access to the objects; undefined if there is none. */
  readonly problem?: KubewrightError | undefined;
}

/** The objects of one kind that a controller watches. `InformerHandle` implements this interface. */
export interface WatchedObjects<T extends KubeObject> extends AsyncDisposable {
  readonly status: WatchStatus;
  onStatus(listener: (status: WatchStatus) => void): () => void;
  get(key: ObjectKey): T | undefined;
  list(): readonly T[];
  /** Like `InformerHandle.caughtUp`. Absent if there is only one store. */
  caughtUp?(key: ObjectKey, signal: AbortSignal): Promise<boolean> | undefined;
  addHandler(handler: ChangeHandler<T>): HandlerRegistration;
  addIndex(index: Index<T>): void;
  removeIndex(index: Index<T>): void;
  byIndex(match: IndexMatch<T>): readonly T[];
  wrote(object: T): void;
  /** Selects the objects of these keys, if the objects were acquired with `byKeys`; `synced` waits for the first call. */
  selectKeys(keys: readonly ObjectKey[]): void;
  synced(): Promise<void>;
}

/** The selection of objects of a kind. */
export interface WatchSelection {
  readonly labels?: Readonly<Record<string, string>> | string;
  readonly fields?: Readonly<Record<string, string>> | string;
  readonly namespaces?: readonly string[] | undefined;
}

/**
 * Returns the epoch of the objects. Between two equal epochs, each version arrives as a separate change. Returns undefined while one change
 * may combine several versions.
 */
export function epochOf({ status }: WatchedObjects<KubeObject>): number | undefined {
  return status.state.name === 'watching' ? status.lists : undefined;
}

/** Opens the objects of a kind. `InformerCache` implements this interface. */
export interface ObjectWatcher {
  acquire<T extends KubeObject>(
    kind: KindRef<T>,
    options?: WatchSelection & {
      /** Whether the controller reads only metadata of the objects. @default false */
      readonly metadataSuffices?: boolean;
      /** Whether to watch only the objects that `selectKeys` selects later. @default false */
      readonly byKeys?: boolean;
    },
  ): Promise<WatchedObjects<T>>;
}
