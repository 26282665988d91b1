import type { Steps } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import type { KeyQueue } from '../../work/controller.js';
import type { ObjectIndex } from '../../work/object-index.js';
import { keyText } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { ChangeTimes } from './change-times.js';
import { selectedPods, selects, selectsPods } from './service-pods.js';

/**
 * Queues the Services that a change of a Service or a Pod affects, including Services that selected the Pod before the change. Reads the
 * Pods of a queued Service.
 */
export class ServiceObserver {
  readonly #index: ObjectIndex;
  /** The Services that last selected each Pod. */
  readonly #behind = new Map<string, readonly string[]>();
  readonly #times = new ChangeTimes();

  constructor(index: ObjectIndex) {
    this.#index = index;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === '/services') queue.add(keyText(object.metadata));
    if (bucket !== '/pods') return;
    const before = this.#behind.get(object.metadata.uid) ?? [];
    const services = this.#index.inNamespace('/services', object.metadata.namespace);
    const now = services
      .filter((service) => selectsPods(service) && selects(service, object))
      .map(({ metadata }) => keyText(metadata));
    for (const key of [...before, ...now]) queue.add(key);
    if (type === 'DELETED' || now.length === 0) this.#behind.delete(object.metadata.uid);
    else this.#behind.set(object.metadata.uid, now);
  }

  /** Returns, in steps, the Pods that a Service selects. Also returns the time of the change that the controller handles, if any. */
  *read(
    key: string,
    service: ApiObject,
  ): Steps<{ readonly pods: readonly ApiObject[]; readonly time: string | undefined }> {
    const pods = yield* selectedPods(service, this.#index.inNamespace('/pods', service.metadata.namespace));
    const time = this.#times.since(key, service, pods);
    yield;
    return { pods, time };
  }

  /** Discards the state of a deleted Service. */
  forget(key: string): void {
    this.#times.forget(key);
  }
}
