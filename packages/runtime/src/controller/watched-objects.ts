import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { KubewrightError } from '@kubewright/api/errors';
import type { Index, IndexMatch } from '../cache/index-declaration.js';
import type { ChangeHandler, HandlerRegistration } from '../cache/shared-informer.js';

/** How far the objects of a kind are known. */
export interface WatchStatus {
  /** In the state 'watching' each change is one version; in others several may have come together. */
  readonly state: { readonly name: string };
  /** Whether all objects are there for the first time. */
  readonly synced: boolean;
  /** Lists that reached the store; when it rises, changes may stand for several versions at once. */
  readonly lists: number;
  /** Why they cannot be had at present; undefined while they can. */
  readonly problem?: KubewrightError | undefined;
}

/** The objects of one kind, as a controller needs them; a `SharedInformer` is one. */
export interface WatchedObjects<T extends KubeObject> extends AsyncDisposable {
  readonly status: WatchStatus;
  onStatus(listener: (status: WatchStatus) => void): () => void;
  get(key: ObjectKey): T | undefined;
  list(): readonly T[];
  /** As `SharedInformer.caughtUp`. Absent if there is one store only. */
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

/** Which objects of a kind are looked at. */
export interface WatchSelection {
  readonly labels?: Readonly<Record<string, string>> | string;
  readonly fields?: Readonly<Record<string, string>> | string;
  readonly namespaces?: readonly string[] | undefined;
}

/** Between two equal ones every version came as a change of its own; undefined while several may come together. */
export function epochOf({ status }: WatchedObjects<KubeObject>): number | undefined {
  return status.state.name === 'watching' ? status.lists : undefined;
}

/** Opens the objects of a kind; an `InformerCache` does. */
export interface ObjectWatcher {
  acquire<T extends KubeObject>(
    kind: KindRef<T>,
    options?: WatchSelection & {
      /** Nothing but metadata is read of them. @default false */
      readonly metadataSuffices?: boolean;
      /** Only the objects that `selectKeys` names later. @default false */
      readonly byKeys?: boolean;
    },
  ): Promise<WatchedObjects<T>>;
}
