import { type Steps, withBreak } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import type { ApiObject, JsonDraft } from '../../registry/objects/api-object.js';
import { numberAt, objectAt, stringAt } from '../../registry/objects/json-object.js';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import { disruptionAllowed } from './disruption-condition.js';
import { keyText, parseKey } from '../objects/object-reference.js';
import type { FeedEvent } from '../work/resource-feed.js';
import { controlledBy } from '../objects/controller-reference.js';
import { isReady } from '../objects/pod-state.js';
import { scaledAmount } from '../objects/scaled-amount.js';
import { selectorText } from '../objects/selector-text.js';

const bucket = 'policy/poddisruptionbudgets';
/**
 * The time in milliseconds for which a Pod with an accepted eviction counts as disrupted. After this time, a Pod that still exists can
 * count as healthy again.
 */
const deletionTimeoutMs = 120_000;
const nothing = { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

/** Updates the status of each PodDisruptionBudget with the number of Pods that can be evicted now. */
export class DisruptionController implements Controller {
  readonly name = 'disruption-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket: changed, object }: FeedEvent, queue: KeyQueue): void {
    if (changed === bucket && type !== 'DELETED') queue.add(keyText(object.metadata));
    if (changed !== '/pods') return;
    // All budgets of the namespace are queued, because changed labels can remove the Pod from a budget.
    for (const budget of this.#setting.index.inNamespace(bucket, object.metadata.namespace)) {
      queue.add(keyText(budget.metadata));
    }
  }

  *sync(key: string, queue: KeyQueue): Steps<void> {
    const budget = this.#budgets.find(parseKey(key));
    if (budget === undefined) return;
    const inNamespace = this.#setting.index.inNamespace('/pods', budget.metadata.namespace);
    const pods = inNamespace.filter((pod) => chooses(budget, pod));
    if (pods.length === 0) this.#say(budget, 'Normal', 'NoPods', 'No matching pods found');
    const found = this.#expected(budget, pods);
    if ('failure' in found) {
      const message = `Failed to calculate the number of expected pods: ${found.failure}`;
      this.#say(budget, 'Warning', 'CalculateExpectedPodCountFailed', message);
      yield* this.#write(budget, { ...nothing, ...objectAt(budget, 'status'), disruptionsAllowed: 0 }, found.failure);
      return;
    }
    const { disrupted, againInMs } = this.#disrupted(budget, pods);
    const healthy = pods.filter(
      (pod) => pod.metadata.deletionTimestamp === undefined && !disrupted.has(pod.metadata.name) && isReady(pod),
    ).length;
    yield* this.#write(budget, {
      currentHealthy: healthy,
      desiredHealthy: found.desired,
      ...(disrupted.size > 0 ? { disruptedPods: Object.fromEntries(disrupted) } : {}),
      disruptionsAllowed: found.expected <= 0 ? 0 : Math.max(0, healthy - found.desired),
      expectedPods: found.expected,
      observedGeneration: budget.metadata.generation,
    });
    if (againInMs !== undefined) queue.addAfter(key, againInMs);
  }

  *#write(budget: ApiObject, status: JsonDraft, failure?: string): Steps<void> {
    const now = timestamp(this.#setting.registry.clock.now());
    const condition = disruptionAllowed(budget, status, { now, failure });
    const next = { ...status, conditions: [condition] };
    if (deepEqual(next, objectAt(budget, 'status'))) return;
    const context = controllerContext(this.name, 'update', 'status');
    const change = withBreak(() => ({ ...budget, status: next }));
    yield* this.#budgets.updateSteps(budget.metadata, change, context);
  }

  /** Returns the number of expected Pods and the number of Pods that must be healthy, or the reason why these numbers are unknown. */
  #expected(
    budget: ApiObject,
    pods: readonly ApiObject[],
  ): { readonly expected: number; readonly desired: number } | { readonly failure: string } {
    const { maxUnavailable, minAvailable } = objectAt(budget, 'spec');
    if (maxUnavailable === undefined && minAvailable === undefined) return { expected: 0, desired: 0 };
    if (maxUnavailable === undefined && typeof minAvailable !== 'string') {
      return { expected: pods.length, desired: scaledAmount(minAvailable, pods.length, Math.ceil) };
    }
    const scale = this.#scale(budget, pods);
    if (typeof scale === 'string') return { failure: scale };
    if (maxUnavailable === undefined) return { expected: scale, desired: scaledAmount(minAvailable, scale, Math.ceil) };
    return { expected: scale, desired: Math.max(0, scale - scaledAmount(maxUnavailable, scale, Math.ceil)) };
  }

  /** Returns the sum of the desired replicas of the Pods' controllers, or the reason why the sum is unknown. */
  #scale(budget: ApiObject, pods: readonly ApiObject[]): number | string {
    const scales = new Map<string, number>();
    const alone = pods.some((pod) => controlledBy(pod) === undefined);
    for (const pod of pods) {
      if (controlledBy(pod) === undefined) continue;
      const owner = this.#scaledOwner(pod);
      if (typeof owner === 'string') return owner;
      if (owner === undefined) return `found no controllers for pod "${pod.metadata.name}"`;
      scales.set(owner.uid, owner.replicas);
    }
    if (alone) this.#say(budget, 'Warning', 'UnmanagedPods', unmanagedMessage(budget));
    return [...scales.values()].reduce((sum, count) => sum + count, 0);
  }

  /**
   * Returns the topmost controlling owner that has a scale subresource. Returns a message if the direct controller does not have this
   * subresource, and undefined if the controller does not exist or the server does not serve its kind.
   */
  #scaledOwner(object: ApiObject): { readonly uid: string; readonly replicas: number } | string | undefined {
    const reference = controlledBy(object);
    if (reference === undefined) return undefined;
    const { registry } = this.#setting;
    const definition = registry.findKind(reference.apiVersion, reference.kind);
    if (definition === undefined) return undefined;
    const withoutScale = `${definition.plural}.${definition.group} does not implement the scale subresource`;
    if (definition.scale === undefined) return withoutScale;
    const key = { name: reference.name, namespace: object.metadata.namespace };
    const owner = registry.store.get(definition.storageBucket, key);
    if (owner === undefined || owner.metadata.uid !== reference.uid) return undefined;
    const resource = registry.asStored(definition, owner);
    if (resource.definition.scale === undefined) return withoutScale;
    const above = this.#scaledOwner(resource.present(owner));
    if (typeof above === 'object') return above;
    return { uid: reference.uid, replicas: numberAt(resource.getScale(key), 'spec', 'replicas') ?? 0 };
  }

  /**
   * Returns the Pods that have an accepted eviction and are not being deleted yet, and the milliseconds until the first of these Pods can
   * count as healthy again.
   */
  #disrupted(budget: ApiObject, pods: readonly ApiObject[]) {
    const now = this.#setting.registry.clock.now().getTime();
    const disrupted = new Map<string, string>();
    let againInMs: number | undefined;
    for (const { metadata } of pods) {
      const time = stringAt(budget, 'status', 'disruptedPods', metadata.name);
      const leftMs = Date.parse(time) + deletionTimeoutMs - now;
      if (time === '' || metadata.deletionTimestamp !== undefined || leftMs <= 0) continue;
      disrupted.set(metadata.name, time);
      againInMs = Math.min(againInMs ?? leftMs, leftMs);
    }
    return { disrupted, againInMs };
  }

  #say(budget: ApiObject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#setting.events.record(budget, { type, reason, message }, { component: 'controllermanager' });
  }

  get #budgets() {
    return this.#setting.registry.builtIn('policy/v1/poddisruptionbudgets');
  }
}

/** Returns the message of the Event about selected Pods that do not have a controller. */
function unmanagedMessage(budget: ApiObject): string {
  const selector = selectorText(objectAt(budget, 'spec')['selector']);
  return [
    `Pods selected by this PodDisruptionBudget (selector: ${selector}) were found to be unmanaged.`,
    'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.',
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
  ].join(' ');
}

function chooses(budget: ApiObject, pod: ApiObject): boolean {
  if (objectAt(budget, 'spec')['selector'] === undefined) return false;
  return labelSelectorFromObject(objectAt(budget, 'spec', 'selector')).matches(pod.metadata.labels ?? {});
}
