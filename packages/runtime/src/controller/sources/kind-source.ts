import type { KindRef, KubeObject } from '@kubewright/api';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Cache } from '../../cache/cache.js';
import type { Informer } from '../../cache/informer/informer.js';
import type { Change } from '../../cache/store/change.js';
import { retryWithBackOff } from '../../waiting/retry-with-back-off.js';
import type { InformerHandle } from '../../cache/informer/informer-handle.js';
import { abortable } from '../../waiting/abortable.js';
import { aborted } from '../../waiting/aborted.js';
import { isLowered, LOW_PRIORITY } from '../watches/change-priority.js';
import { Mapping } from './mapping.js';
import type { Predicate } from '../watches/predicates.js';
import { type ReconcileKey, readKeys } from '../watches/reconcile-key.js';
import type { Source, SourceTarget } from './source.js';
import { describeObject } from './trigger-errors.js';

/** Returns the keys of the objects to reconcile when an object in another cluster changes. */
export type SourceMapper<T extends KubeObject> = (
  object: T,
  context: { readonly change: Change<T> },
) => Iterable<ReconcileKey> | Promise<Iterable<ReconcileKey>>;

/** The options of `kindSource`: which objects of another cluster to watch, and which objects to reconcile. */
export interface KindSourceOptions<T extends KubeObject> {
  /** The cache of the other cluster, from the result of `connect(…)`. */
  readonly cache: Cache;
  /**
   * Returns the objects to reconcile. If an object is modified, the function is called for the old and the new object, and each returned
   * object is reconciled once.
   */
  readonly map: SourceMapper<T>;
  /** Selects the changes that trigger reconciles. @default all */
  readonly when?: Predicate<T>;
  /**
   * The priority of the reconciles.
   * @default the priority of the reconciled object; -100 for objects of the first list and for events that do not change the version
   */
  readonly priority?: number;
  /** The namespace to watch. @default the namespaces of the cache */
  readonly namespace?: string;
  /** The labels that the objects must have, or a selector. @default all objects */
  readonly labels?: Readonly<Record<string, string>> | string;
  /** The fields that the objects must have, or a selector such as 'status.phase!=Failed'. @default all objects */
  readonly fields?: Readonly<Record<string, string>> | string;
  /** The name of the source in logs, causes and traces. @default 'kind source: ' and the kind */
  readonly name?: string;
}

/**
 * Creates a source that watches a kind in another cluster. Changes of these objects trigger reconciles in this cluster. To watch a kind in
 * the cluster of the controller, use `watches` instead.
 *
 * The first reconcile waits until the source has delivered all existing objects. If the other cluster does not serve the kind, the source
 * retries with back-off, and readiness reports the reason. Throws INVALID_SOURCE and NOT_A_KIND.
 *
 * @example
 * const edge = await connect({ context: 'edge' });
 * @Controller({ for: Site, sources: [kindSource(Node, { cache: edge.cache, map: (node) => [{ name: node.metadata.name }] })] })
 */
export function kindSource<T extends KubeObject>(kind: KindRef<T>, options: KindSourceOptions<T>): Source {
  const { kind: kindName, metadataOnly = false } = kindOf(kind);
  const name = options?.name ?? `kind source: ${kindName}${metadataOnly ? ' (metadata)' : ''}`;
  if (typeof options?.cache?.informer !== 'function') {
    throw invalid(name, `'cache' is not a cache: pass the cache of a cluster, such as (await connect(…)).cache`);
  }
  if (typeof options.map !== 'function') {
    throw invalid(
      name,
      `'map' is not a function: return the affected keys, such as map: (object) => [{ namespace, name }]`,
    );
  }
  return new KindSource(kind, options, name);
}

class KindSource<T extends KubeObject> implements Source {
  readonly name: string;
  readonly #kind: KindRef<T>;
  readonly #options: KindSourceOptions<T>;
  #reported: Promise<void> = Promise.resolve();
  #allReported: () => void = () => undefined;
  #problem: string | undefined;
  #informer: InformerHandle<T> | undefined;

  constructor(kind: KindRef<T>, options: KindSourceOptions<T>, name: string) {
    this.name = name;
    this.#kind = kind;
    this.#options = options;
  }

  get problem(): string | undefined {
    return this.#problem ?? this.#informer?.status.problem?.message;
  }
  start(target: SourceTarget, signal: AbortSignal): void {
    this.#reported = new Promise((resolve) => {
      this.#allReported = resolve;
    });
    target.track(this.#run(target, signal));
  }
  synced(): Promise<void> {
    return this.#reported;
  }

  /** Watches the objects and delivers their changes until the signal is aborted. */
  async #run(target: SourceTarget, signal: AbortSignal): Promise<void> {
    const mapping = new Mapping(target.clock, () => undefined);
    let opened: Informer<T> | undefined;
    try {
      opened = await this.#open(target, signal);
      const informer = this.#handleOf(opened);
      this.#informer = informer;
      const registration = informer.addHandler({ onChange: (change) => this.#changed(change, target, mapping) });
      await abortable(registration.synced, signal);
      this.#allReported();
      await aborted(signal);
      registration.remove();
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      mapping.stop();
      await opened?.[Symbol.asyncDispose]();
    }
  }
  #handleOf(informer: Informer<T>): InformerHandle<T> {
    if ('addHandler' in informer) return informer as InformerHandle<T>;
    throw invalid(this.name, `'cache' was not created by connect(…) or a Manager`);
  }
  /**
   * Opens the informer. After a failure, for example if the other cluster does not serve the kind, retries with back-off. Rejects with the
   * reason of the signal.
   */
  async #open(target: SourceTarget, signal: AbortSignal): Promise<Informer<T>> {
    const { cache, namespace, labels, fields } = this.#options;
    const where = {
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(fields !== undefined && { fields }),
      waitForSync: false,
    };
    const onFailure = (error: unknown): void => {
      const message = messageOf(error);
      if (message !== this.#problem) target.failed(error);
      this.#problem = message;
    };
    const open = (): Promise<Informer<T>> => this.#opened(cache.informer(this.#kind, where), signal);
    const informer = await retryWithBackOff(open, { clock: target.clock, signal, onFailure });
    this.#problem = undefined;
    return informer;
  }
  /** Returns the informer. If the signal is aborted before the informer is open, rejects and closes the informer later. */
  async #opened(opening: Promise<Informer<T>>, signal: AbortSignal): Promise<Informer<T>> {
    try {
      return await abortable(opening, signal);
    } catch (error) {
      if (signal.aborted) void opening.then((late) => late[Symbol.asyncDispose]()).catch(() => undefined);
      throw error;
    }
  }

  #changed(change: Change<T>, target: SourceTarget, mapping: Mapping): void {
    if (!this.#counts(change, target)) return;
    const { map } = this.#options;
    const versions = change.type === 'modified' ? [change.old, change.object] : [change.object];
    const answered = mapping.start({
      id: describeObject(change.object),
      calls: versions.map((object) => () => map(object, { change })),
      deliver: (answers) => this.#deliver(answers, change, target),
      failed: (error) => target.failed(error),
    });
    if (answered !== undefined) target.busy(answered);
  }
  #counts(change: Change<T>, target: SourceTarget): boolean {
    try {
      return this.#options.when?.(change) ?? true;
    } catch (error) {
      target.failed(error);
      return true;
    }
  }
  #deliver(answers: readonly unknown[], change: Change<T>, target: SourceTarget): void {
    const lowered = isLowered(change) ? LOW_PRIORITY : undefined;
    const reason = `${describeObject(change.object)} ${change.type}`;
    const done = new Set<string>();
    for (const answer of answers) {
      try {
        for (const given of readKeys(answer) as readonly ReconcileKey[]) {
          const { name, namespace, after, priority = this.#options.priority ?? lowered } = given ?? {};
          const same = JSON.stringify([name, namespace, priority, after]);
          if (done.has(same)) continue;
          done.add(same);
          target.enqueue(given, {
            reason,
            ...(priority !== undefined && { priority }),
            ...(after !== undefined && { after }),
          });
        }
      } catch (error) {
        target.failed(error);
      }
    }
  }
}

function invalid(name: string, why: string): KubewrightError {
  return new KubewrightError('INVALID_SOURCE', `cannot create source '${name}': ${why}`);
}
