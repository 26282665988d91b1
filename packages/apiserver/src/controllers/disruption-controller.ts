import { deepEqual } from '@kubewright/api/patch';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import {
  type ApiObject,
  copyJson,
  isObject,
  type JsonDraft,
  numberAt,
  objectAt,
  objectsAt,
  valueAt,
} from '../registry/json-object.js';
import { timestamp } from '../registry/metadata-rules.js';
import type { Controller, ControllerSetting, KeyQueue } from './controller.js';
import { controllerContext } from './controller-context.js';
import { keyText, parseKey } from './object-reference.js';
import type { FeedEvent } from './resource-feed.js';
import { scaledAmount } from './workloads/scaled-amount.js';

/** How long an eviction that was let through counts although the Pod is still there. */
const deletionTimeoutMs = 2 * 60_000;

interface Counts {
  readonly expected: number;
  readonly desired: number;
  readonly healthy: number;
}

/** Writes down how many Pods of each PodDisruptionBudget may be evicted. */
export class DisruptionController implements Controller {
  readonly name = 'disruption-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === 'policy/poddisruptionbudgets') {
      if (type !== 'DELETED') queue.add(keyText(object.metadata));
    } else if (bucket === '/pods') {
      for (const { metadata } of this.#budgets(object.metadata.namespace)) queue.add(keyText(metadata));
    }
  }

  sync(key: string, queue: KeyQueue): void {
    const budgets = this.#setting.registry.builtIn('policy/v1/poddisruptionbudgets');
    const budget = budgets.find(parseKey(key));
    if (budget === undefined) return;
    const pods = this.#pods(budget);
    const disrupted = this.#disrupted(budget, pods);
    if (Object.keys(disrupted).length > 0) queue.addAfter(key, deletionTimeoutMs);
    const status = this.#status(budget, this.#counts(budget, pods, disrupted), disrupted);
    if (deepEqual(status, budget['status'])) return;
    const change = (live: ApiObject): JsonDraft => ({ ...copyJson(live), status });
    budgets.update(budget.metadata, change, controllerContext(this.name, 'update', 'status'));
  }

  #budgets(namespace: string | undefined): readonly ApiObject[] {
    return this.#setting.registry.builtIn('policy/v1/poddisruptionbudgets').list({ namespace }).items;
  }

  #pods(budget: ApiObject): readonly ApiObject[] {
    const selector = objectAt(budget, 'spec')['selector'];
    if (!isObject(selector)) return [];
    const wanted = labelSelectorFromObject(selector);
    const { items } = this.#setting.registry.builtIn('/v1/pods').list({ namespace: budget.metadata.namespace });
    return items.filter(({ metadata }) => wanted.matches(metadata.labels ?? {}));
  }

  /** The evictions that were let through and are not seen in the Pods yet. */
  #disrupted(budget: ApiObject, pods: readonly ApiObject[]): Record<string, string> {
    const now = this.#setting.registry.clock.now().getTime();
    const waiting = Object.entries(objectAt(budget, 'status', 'disruptedPods')).filter(([name, since]) => {
      const pod = pods.find(({ metadata }) => metadata.name === name);
      if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return false;
      return Date.parse(String(since)) + deletionTimeoutMs > now;
    });
    return Object.fromEntries(waiting.map(([name, since]) => [name, String(since)]));
  }

  #counts(budget: ApiObject, pods: readonly ApiObject[], disrupted: Readonly<Record<string, string>>): Counts {
    const healthy = pods.filter(
      (pod) =>
        pod.metadata.deletionTimestamp === undefined &&
        !(pod.metadata.name in disrupted) &&
        objectsAt(pod, 'status', 'conditions').some(({ type, status }) => type === 'Ready' && status === 'True'),
    ).length;
    const { minAvailable, maxUnavailable } = objectAt(budget, 'spec');
    if (maxUnavailable !== undefined) {
      const expected = this.#scale(pods);
      return { expected, desired: Math.max(0, expected - scaledAmount(maxUnavailable, expected, Math.ceil)), healthy };
    }
    const expected = typeof minAvailable === 'string' ? this.#scale(pods) : pods.length;
    return { expected, desired: scaledAmount(minAvailable, expected, Math.ceil), healthy };
  }

  /** How many Pods the controllers of the Pods want in all; a Pod without one counts for itself. */
  #scale(pods: readonly ApiObject[]): number {
    const seen = new Set<string>();
    return pods.reduce((sum, { metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
      if (owner === undefined) return sum + 1;
      if (seen.has(owner.uid)) return sum;
      seen.add(owner.uid);
      const definition = this.#setting.registry.findKind(owner.apiVersion, owner.kind);
      if (definition === undefined) return sum;
      const { namespace } = metadata;
      const found = this.#setting.registry.resource(definition).find({ namespace, name: owner.name });
      return sum + (numberAt(found, 'spec', 'replicas') ?? 0);
    }, 0);
  }

  #status(budget: ApiObject, { expected, desired, healthy }: Counts, disrupted: Record<string, string>): JsonDraft {
    const allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
    const observedGeneration = budget.metadata.generation ?? 0;
    const [before] = objectsAt(budget, 'status', 'conditions').filter(({ type }) => type === 'DisruptionAllowed');
    const status = allowed > 0 ? 'True' : 'False';
    const kept = before?.['status'] === status ? valueAt(before, 'lastTransitionTime') : undefined;
    const condition = {
      type: 'DisruptionAllowed',
      status,
      observedGeneration,
      lastTransitionTime: kept ?? timestamp(this.#setting.registry.clock.now()),
      reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
      message: '',
    };
    return {
      observedGeneration,
      ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: expected,
      conditions: [condition],
    };
  }
}
