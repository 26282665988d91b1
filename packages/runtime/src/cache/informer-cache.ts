import type { KindRef, KubeObject } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import type { Discovery } from '../transport/discovery.js';
import type { Transport } from '../transport/transport.js';
import { Cache, type Informer } from './cache.js';
import type { Index } from './index-declaration.js';
import type { ListOptions } from './list-options.js';
import type { SharedInformer } from './shared-informer.js';

export interface InformerCacheOptions {
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Only these namespaces are listed and watched, each by itself. @default all, with one watch */
  readonly namespaces?: readonly string[] | undefined;
  /** Keeps `metadata.managedFields`, which are most of the bytes of many objects. @default false */
  readonly keepManagedFields?: boolean;
}

/** What an informer holds, and by what it finds it. */
export interface AcquireOptions<T extends KubeObject> {
  /** @default those of the cache */
  readonly namespaces?: readonly string[] | undefined;
  /** Equal labels, or a selector. Informers of different selectors are different informers. @default all objects */
  readonly labels?: ListOptions<T>['labels'];
  readonly indexes?: readonly Index<T>[];
}

export declare class InformerCache extends Cache implements AsyncDisposable {
  constructor(options: InformerCacheOptions);
  /** As `acquire`, and waits for the first list. */
  override informer<T extends KubeObject>(
    kind: KindRef<T>,
    options?: Pick<ListOptions<T>, 'namespace' | 'labels'>,
  ): Promise<Informer<T>>;
  /** Opens, or shares, the informer of a kind and selector; does not wait for the first list. */
  acquire<T extends KubeObject>(kind: KindRef<T>, options?: AcquireOptions<T>): Promise<SharedInformer<T>>;
  /** The informer of all objects of a kind, when it is open; disposing of this view of it does nothing. */
  existing<T extends KubeObject>(kind: KindRef<T>): SharedInformer<T> | undefined;
  /** All open informers. */
  informers(): readonly SharedInformer<KubeObject>[];
  /** Stops every informer. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
