import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Logger } from '../log/logger.js';
import type { Discovery } from '../transport/discovery.js';
import type { ResourceInfo } from '../transport/resource-path.js';
import type { Transport } from '../transport/transport.js';
import { Cache, type Informer } from './cache.js';
import type { Index } from './index-declaration.js';
import { InformerHandle } from './informer-handle.js';
import { KindInformer } from './kind-informer.js';
import { labelSelectorText } from './label-match.js';
import type { ListOptions } from './list-options.js';
import { CutParser, type ObjectParser, WholeParser } from './object-parser.js';
import { ObjectSource, type Transform } from './object-source.js';
import type { ReflectorOptions } from './reflector.js';
import type { SharedInformer } from './shared-informer.js';

export interface InformerCacheOptions {
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Only these namespaces are listed and watched, each by itself. @default all, with one watch */
  readonly namespaces?: readonly string[] | undefined;
  /** Keeps `metadata.managedFields`, which are most of the bytes of many objects. @default false */
  readonly keepManagedFields?: boolean | undefined;
  /** Changes every object before it is stored, to leave out what is not needed. Has to be idempotent. @default nothing more is left out */
  readonly transform?: Transform<KubeObject> | undefined;
  /** How the reflectors list, watch and wait. */
  readonly reflector?: Omit<ReflectorOptions<KubeObject>, 'source' | 'target' | 'onStatus'> | undefined;
}

/** What an informer holds, and by what it finds it. */
export interface AcquireOptions<T extends KubeObject> {
  /** @default those of the cache */
  readonly namespaces?: readonly string[] | undefined;
  /** Equal labels, or a selector. Informers of different selectors are different informers. @default all objects */
  readonly labels?: ListOptions<T>['labels'];
  readonly indexes?: readonly Index<T>[];
}

/** An informer and how many hold it. */
interface Shared {
  readonly informer: KindInformer<KubeObject>;
  readonly apiVersion: string;
  readonly key: string;
  holders: number;
}

/** The informers of a cluster: one for each kind, set of namespaces and selector, however many ask for it. */
export class InformerCache extends Cache implements AsyncDisposable {
  readonly #options: InformerCacheOptions;
  readonly #parser: ObjectParser;
  readonly #shared = new Map<string, Shared>();
  readonly #progressListeners = new Set<() => void>();
  #isClosed = false;

  constructor(options: InformerCacheOptions) {
    super();
    this.#options = options;
    this.#parser = options.keepManagedFields ? new WholeParser() : new CutParser();
  }

  /** As `acquire`, and waits for the first list. */
  override async informer<T extends KubeObject>(
    kind: KindRef<T>,
    options: Pick<ListOptions<T>, 'namespace' | 'labels'> = {},
  ): Promise<Informer<T>> {
    const namespaces = options.namespace === undefined ? undefined : [options.namespace];
    const informer = await this.acquire(kind, {
      namespaces,
      ...(options.labels === undefined ? {} : { labels: options.labels }),
    });
    try {
      await informer.synced();
      return informer;
    } catch (error) {
      await informer[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Opens, or shares, the informer of a kind and selector; does not wait for the first list. Rejects with KIND_NOT_SERVED. */
  async acquire<T extends KubeObject>(kind: KindRef<T>, options: AcquireOptions<T> = {}): Promise<SharedInformer<T>> {
    const resource = await this.#options.discovery.resolve(kind);
    if (this.#isClosed)
      throw new KubewrightError(
        'INFORMER_CLOSED',
        `the cache is closed: no informer of ${resource.kind} can be opened`,
      );
    const namespaces = resource.namespaced ? (options.namespaces ?? this.#options.namespaces) : undefined;
    const key = keyOf(resource, namespaces, options.labels);
    let shared = this.#shared.get(key);
    if (shared === undefined) {
      shared = {
        informer: this.#make(resource, namespaces, options.labels),
        apiVersion: resource.apiVersion,
        key,
        holders: 0,
      };
      this.#shared.set(key, shared);
    }
    const informer = shared.informer as unknown as KindInformer<T>;
    const held = shared;
    held.holders++;
    const handle = new InformerHandle(informer, () => this.#release(held));
    try {
      for (const index of options.indexes ?? []) handle.addIndex(index);
    } catch (error) {
      await handle[Symbol.asyncDispose]();
      throw error;
    }
    informer.start();
    return handle;
  }

  /** The open informer of a kind with these namespaces and labels, as `acquire` would give it; disposing of this view does nothing. */
  existing<T extends KubeObject>(
    kind: KindRef<T>,
    options: Omit<AcquireOptions<T>, 'indexes'> = {},
  ): SharedInformer<T> | undefined {
    const info = kindOf(kind);
    const namespaces = options.namespaces ?? this.#options.namespaces;
    const shared =
      this.#shared.get(keyOf(info, namespaces, options.labels)) ??
      this.#shared.get(keyOf(info, undefined, options.labels));
    return shared === undefined ? undefined : viewOf<T>(shared);
  }

  /** Every open informer of a kind, whatever it selects. Views, as those of `existing`. */
  informersOf<T extends KubeObject>(kind: KindRef<T>): readonly SharedInformer<T>[] {
    const { apiVersion, kind: name } = kindOf(kind);
    const all = [...this.#shared.values()].filter(
      (shared) => shared.apiVersion === apiVersion && shared.informer.kind === name,
    );
    return all.map((shared) => viewOf<T>(shared));
  }

  /** Every open informer. Views, as those of `existing`. */
  informers(): readonly SharedInformer<KubeObject>[] {
    return [...this.#shared.values()].map((shared) => viewOf<KubeObject>(shared));
  }

  /** The kinds of which the server lists something that their informers, or handlers of them, do not know yet. */
  async behind(): Promise<readonly string[]> {
    const behind = await Promise.all(
      this.informers().map(async (informer) => ({
        kind: informer.kind,
        isBehind: (await informer.isBehind()) || informer.waiting > 0,
      })),
    );
    return behind.filter(({ isBehind }) => isBehind).map(({ kind }) => kind);
  }

  /** Tells every informer of the object's kind of a write, so that the next read sees it. */
  wrote(object: KubeObject): void {
    for (const shared of this.#shared.values()) {
      if (shared.apiVersion === object.apiVersion && shared.informer.kind === object.kind)
        shared.informer.wrote(object);
    }
  }

  /** Tells every informer of a kind of a deletion, so that the next read sees it. The version is that of the deletion, where known. */
  deleted(kind: Pick<KubeObject, 'apiVersion' | 'kind'>, key: ObjectKey, resourceVersion?: string): void {
    for (const shared of this.#shared.values()) {
      if (shared.apiVersion === kind.apiVersion && shared.informer.kind === kind.kind)
        shared.informer.deleted(key, resourceVersion);
    }
  }

  /** Stops every informer; settles when nothing is open any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#shared.values()];
    this.#shared.clear();
    await Promise.all(open.map((shared) => shared.informer.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Calls back when an informer stands for a newer version than before. Returns what ends it. */
  onProgress(listener: () => void): () => void {
    this.#progressListeners.add(listener);
    return () => void this.#progressListeners.delete(listener);
  }

  #make(
    resource: ResourceInfo,
    namespaces: readonly string[] | undefined,
    labels: ListOptions<never>['labels'],
  ): KindInformer<KubeObject> {
    const { transport, clock, logger, transform } = this.#options;
    const labelSelector = labelSelectorText(labels);
    const common = { transport, resource, labelSelector, clock, logger, transform, parser: this.#parser };
    const scopes = namespaces === undefined ? [undefined] : [...new Set(namespaces)];
    return new KindInformer<KubeObject>({
      kind: resource.kind,
      sources: scopes.map((namespace) => new ObjectSource<KubeObject>({ ...common, namespace })),
      logger,
      onProgress: () => {
        for (const listener of this.#progressListeners) listener();
      },
      ...(labels === undefined ? {} : { labels }),
      ...(this.#options.reflector === undefined ? {} : { reflector: this.#options.reflector }),
    });
  }

  async #release(shared: Shared): Promise<void> {
    if (--shared.holders > 0) return;
    if (this.#shared.get(shared.key) === shared) this.#shared.delete(shared.key);
    await shared.informer.close();
  }
}

function viewOf<T extends KubeObject>(shared: Shared): SharedInformer<T> {
  return new InformerHandle(shared.informer as unknown as KindInformer<T>, async () => undefined);
}

function keyOf(
  resource: Pick<ResourceInfo, 'apiVersion' | 'kind'>,
  namespaces: readonly string[] | undefined,
  labels: ListOptions<never>['labels'],
): string {
  const scope = namespaces === undefined ? '*' : [...new Set(namespaces)].toSorted().join(',');
  return `${resource.apiVersion}/${resource.kind} ${scope} ${labelSelectorText(labels) ?? ''}`;
}
