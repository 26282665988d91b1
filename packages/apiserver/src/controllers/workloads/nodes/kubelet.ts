import { type Steps, withBreak } from '@kubewright/api/apply';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { stringAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { RequestContext } from '../../../registry/requests/request-context.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import { hasReviewers } from '../../work/has-reviewers.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { fateOf } from './container-fate.js';
import { nodeName } from './embedded-node.js';
import { ended, hasOutdatedImage, isStarting, restarted, started } from './pod-progress.js';

/**
 * Simulates the kubelet of the embedded node: reports Pods as running and ready, restarts containers whose image changes, ends Pods whose
 * commands end, and removes Pods that are being deleted. Does not start containers.
 */
export class Kubelet implements Controller {
  readonly name = 'kubelet';
  readonly #setting: ControllerSetting;
  #addresses = 0;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object: pod }: FeedEvent, queue: KeyQueue): void {
    if (bucket !== '/pods' || type === 'DELETED') return;
    if (this.#hasWork(pod)) queue.add(keyText(pod.metadata));
  }

  *sync(key: string): Steps<void> {
    const pods = this.#setting.registry.builtIn('/v1/pods');
    const pod = pods.find(parseKey(key));
    if (pod === undefined || !this.#hasWork(pod)) return;
    const { uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) {
      const options = { gracePeriodSeconds: 0, preconditions: { uid } };
      yield* pods.deleteSteps(pod.metadata, options, kubeletContext('delete'));
      return;
    }
    const now = timestamp(this.#setting.registry.clock.now());
    const podIp = isStarting(pod) ? stringAt(pod, 'status', 'podIP') || this.#nextAddress() : '';
    const change = (live: ApiObject): ApiObject => {
      // Another write may have changed or replaced the Pod. The event of that write queues the Pod again.
      const isSame = live.metadata.uid === uid && live.metadata.deletionTimestamp === undefined;
      if (!isSame || isStarting(live) !== isStarting(pod) || !this.#hasWork(live)) return live;
      if (isStarting(live)) return started(live, { now, podIp });
      return ended(live, now) ?? restarted(live, now);
    };
    const context = kubeletContext('patch', 'status');
    if (hasReviewers(this.#setting.registry)) yield* pods.updateSteps(pod.metadata, withBreak(change), context);
    else yield* pods.replaceSteps(pod.metadata, change, context);
  }

  #hasWork(pod: ApiObject): boolean {
    if (stringAt(pod, 'spec', 'nodeName') !== nodeName) return false;
    if (pod.metadata.deletionTimestamp !== undefined) return (pod.metadata.deletionGracePeriodSeconds ?? 0) > 0;
    if (isStarting(pod)) return true;
    return stringAt(pod, 'status', 'phase') === 'Running' && (fateOf(pod).kind !== 'runs' || hasOutdatedImage(pod));
  }

  #nextAddress(): string {
    this.#addresses += 1;
    return `10.244.${Math.trunc(this.#addresses / 254) % 256}.${(this.#addresses % 254) + 1}`;
  }
}

function kubeletContext(verb: string, subresource?: string): RequestContext {
  return {
    verb,
    fieldManager: 'kubelet',
    ...(subresource === undefined ? {} : { subresource }),
    dryRun: false,
    fieldValidation: 'Ignore',
    warnings: [],
    user: { name: `system:node:${nodeName}`, groups: ['system:nodes', 'system:authenticated'] },
  };
}
