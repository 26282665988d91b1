import { type Steps, withBreak } from '@kubewright/api/apply';
import { type LabelSelectorObject, labelSelectorFromObject } from '@kubewright/api/selectors';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { RequestContext } from '../../../registry/requests/request-context.js';
import { withDisruptionTarget } from '../../objects/disruption-target.js';
import { conditionOf } from '../../objects/pod-state.js';
import { keyText, parseKey } from '../../objects/object-reference.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { ClusterView, type NodeView } from './cluster-view.js';
import { loadReasons } from './node-fit.js';
import { place, type PlacementSetting, type UnfitView } from './placement.js';
import { needsOf, type PodNeeds, priorityOf } from './pod-needs.js';
import { volumeProblem, volumeReasonsOf } from './pod-volumes.js';
import { type Budget, type Candidate, budgetOf, countedReasons, preempt } from './preemption.js';
import { SchedulingQueue } from './scheduling-queue.js';
import { bound, isWaiting, refused } from './unscheduled-pod.js';

const by = { component: 'default-scheduler' };

/** What a Pod waits for. */
interface Waiting {
  readonly priority: number;
  /** The key of the claim that is missing or not bound, or undefined if the Pod waits for another reason. */
  readonly claim: string | undefined;
  /** Whether a new Pod on a node can make this Pod fit, because this Pod has spread constraints or a required Pod affinity. */
  readonly needsPods: boolean;
}

/**
 * Binds each Pod to the best node on which the Pod fits. If a Pod does not fit on any node, removes Pods with a lower priority if this
 * helps, reports the reason, and retries after a relevant change.
 */
export class Scheduler implements Controller {
  readonly name = 'kube-scheduler';
  readonly #setting: ControllerSetting;
  readonly #cluster = new ClusterView();
  readonly #ready = new SchedulingQueue();
  readonly #waiting = new Map<string, Waiting>();
  /** The number of observed changes that can affect a placement. */
  #changes = 0;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object: known }: FeedEvent, queue: KeyQueue): void {
    const isDeleted = type === 'DELETED';
    if (bucket === '/nodes') {
      this.#changes += 1;
      this.#cluster.observeNode(known, isDeleted);
      this.#retry(queue, () => true);
    } else if (bucket === '/pods') {
      const key = keyText(known.metadata);
      const change = this.#cluster.observePod(known, isDeleted);
      if (change !== 'same') this.#changes += 1;
      if (!isDeleted && isWaiting(known)) this.#enqueue(key, priorityOf(known), queue);
      else {
        this.#waiting.delete(key);
        this.#ready.delete(key);
      }
      if (change === 'changed') this.#retry(queue, () => true);
      else if (change === 'added') this.#retry(queue, ({ needsPods }) => needsPods);
    } else if (bucket === '/persistentvolumeclaims') {
      const claim = keyText(known.metadata);
      this.#retry(queue, (waiting) => waiting.claim === undefined || waiting.claim === claim);
    }
  }

  /** Schedules the Pod with the highest priority. The queue contains one key for each Pod to schedule. */
  *sync(queued: string, queue: KeyQueue): Steps<void> {
    const key = this.#ready.take() ?? queued;
    const pod = this.#pods.find(parseKey(key));
    if (pod === undefined || !isWaiting(pod)) return;
    const needs = needsOf(pod);
    try {
      yield* this.#schedule(key, needs, queue);
    } catch (error) {
      this.#ready.add(key, needs.priority);
      throw error;
    }
  }

  *#schedule(key: string, needs: PodNeeds, queue: KeyQueue): Steps<void> {
    const { registry } = this.#setting;
    const { pod, priority } = needs;
    const problem = volumeProblem(registry, pod);
    const hasSpread = objectsAt(pod, 'spec', 'topologySpreadConstraints').length > 0;
    // Marks the Pod as waiting before the next step, so that an event between two steps queues the Pod again.
    const needsPods = hasSpread || needs.attracted.length > 0;
    this.#waiting.set(key, { priority, claim: problem?.claim, needsPods });
    if (problem !== undefined) {
      const message = `0/${this.#cluster.size} nodes are available: ${problem.reason}. not found`;
      yield* this.#refuse(pod, { message, nominated: '' });
      return;
    }
    yield;
    const changes = this.#changes;
    const setting = this.#placementSetting(pod);
    const found = yield* place(needs, setting);
    if ('unfit' in found) yield* this.#preempt(needs, found.unfit, setting);
    else if (!(yield* this.#bind(needs, { view: found.node, changes }))) this.#enqueue(key, priority, queue);
  }

  /**
   * Binds the Pod to the node. Returns false if the Pod was not bound, because the Pod, a claim or the cluster has changed and the Pod may
   * no longer fit.
   */
  *#bind(needs: PodNeeds, placed: { readonly view: NodeView; readonly changes: number }): Steps<boolean> {
    const { registry } = this.#setting;
    const { pod } = needs;
    const { name: node } = placed.view.node.metadata;
    const now = timestamp(registry.clock.now());
    const { namespace, name, uid } = pod.metadata;
    let isBound = false;
    const change = (live: ApiObject): ApiObject => {
      const isSame = live.metadata.uid === uid && isWaiting(live);
      isBound = isSame && this.#stillFits(needs, placed) && volumeProblem(registry, live) === undefined;
      return isBound ? bound(live, { node, now }) : live;
    };
    yield* this.#pods.replaceSteps(pod.metadata, change, bindingContext);
    if (!isBound) return false;
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#setting.events.report(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', message }, by);
    return true;
  }

  #stillFits(needs: PodNeeds, { view, changes }: { readonly view: NodeView; readonly changes: number }): boolean {
    if (this.#changes === changes) return true;
    const current = this.#cluster.view(view.node.metadata.name);
    const { attracted, repels, pod } = needs;
    const dependsOnOthers = attracted.length + repels.length > 0 || this.#cluster.hasRepellingPods;
    if (current?.node !== view.node || dependsOnOthers) return false;
    return objectsAt(pod, 'spec', 'topologySpreadConstraints').length === 0 && loadReasons(needs, current).length === 0;
  }

  *#preempt(needs: PodNeeds, unfit: readonly UnfitView[], setting: PlacementSetting): Steps<void> {
    if (unfit.length === 0) {
      yield* this.#refuse(needs.pod, { message: 'no nodes available to schedule pods', nominated: '' });
      return;
    }
    const reasons = unfit.flatMap((each) => each.reasons.map(({ reason }) => reason));
    const why = countedReasons(reasons, this.#cluster.size);
    const found = yield* preempt(needs, unfit, { ...setting, budgets: this.#budgets() });
    if ('message' in found) {
      const message = `${why} no new claims to deallocate, preemption: ${found.message}`;
      const nominated = found.isPending ? stringAt(needs.pod, 'status', 'nominatedNodeName') : '';
      yield* this.#refuse(needs.pod, { message, nominated });
      return;
    }
    const { candidate } = found;
    yield* this.#refuse(needs.pod, { message: why, nominated: candidate.view.node.metadata.name });
    yield* this.#remove(needs.pod, candidate);
  }

  /** Removes the victims of a preemption. */
  *#remove(preemptor: ApiObject, { view, victims }: Candidate): Steps<void> {
    const scheduler = stringAt(preemptor, 'spec', 'schedulerName');
    const reason = 'PreemptionByScheduler';
    const why = `${scheduler}: preempting to accommodate a higher priority pod`;
    const message = `Preempted by pod ${preemptor.metadata.uid} on node ${view.node.metadata.name}`;
    for (const { pod } of victims) {
      const { uid } = pod.metadata;
      const now = timestamp(this.#setting.registry.clock.now());
      if (this.#pods.find(pod.metadata)?.metadata.uid !== uid) continue;
      const change = withBreak((live: ApiObject) =>
        live.metadata.uid === uid ? withDisruptionTarget(live, { reason, message: why, now }) : live,
      );
      yield* this.#pods.updateSteps(pod.metadata, change, statusContext);
      this.#setting.events.report(pod, { type: 'Normal', reason: 'Preempted', action: 'Preempting', message }, by);
      yield* this.#pods.deleteSteps(pod.metadata, { preconditions: { uid } }, { ...statusContext, verb: 'delete' });
    }
  }

  *#refuse(pod: ApiObject, why: { readonly message: string; readonly nominated: string }): Steps<void> {
    const known = conditionOf(pod, 'PodScheduled');
    const isKnown = known?.['message'] === why.message && known['reason'] === 'Unschedulable';
    if (isKnown && stringAt(pod, 'status', 'nominatedNodeName') === why.nominated) return;
    const now = timestamp(this.#setting.registry.clock.now());
    let isRefused = false;
    const change = (live: ApiObject): ApiObject => {
      isRefused = live.metadata.uid === pod.metadata.uid && isWaiting(live);
      return isRefused ? refused(live, { ...why, now }) : live;
    };
    yield* this.#pods.updateSteps(pod.metadata, withBreak(change), statusContext);
    if (!isRefused) return;
    const { message } = why;
    const text = { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', message } as const;
    this.#setting.events.report(pod, text, by);
  }

  #placementSetting(pod: ApiObject): PlacementSetting {
    const { registry } = this.#setting;
    const namespaces = registry.builtIn('/v1/namespaces');
    return {
      cluster: this.#cluster,
      labelsOf: (name) => namespaces.find({ name })?.metadata.labels ?? {},
      volumeReasons: volumeReasonsOf(registry, pod),
    };
  }

  #budgets(): readonly Budget[] {
    const budgets = this.#setting.registry.builtIn('policy/v1/poddisruptionbudgets').list().items;
    return budgets.map((budget) => {
      const selector = labelSelectorFromObject(valueAt(budget, 'spec', 'selector') as LabelSelectorObject | undefined);
      const { namespace } = budget.metadata;
      return budgetOf(
        budget,
        ({ metadata }) => metadata.namespace === namespace && selector.matches(metadata.labels ?? {}),
      );
    });
  }

  #enqueue(key: string, priority: number, queue: KeyQueue): void {
    this.#ready.add(key, priority);
    queue.add(key);
  }

  /** Queues the waiting Pods that a change can help. */
  #retry(queue: KeyQueue, isHelped: (waiting: Waiting) => boolean): void {
    for (const [key, waiting] of this.#waiting) if (isHelped(waiting)) this.#enqueue(key, waiting.priority, queue);
  }

  get #pods() {
    return this.#setting.registry.builtIn('/v1/pods');
  }
}

const bindingContext: RequestContext = {
  verb: 'create',
  fieldManager: 'kube-scheduler',
  subresource: 'binding',
  dryRun: false,
  fieldValidation: 'Ignore',
  warnings: [],
  user: { name: 'system:kube-scheduler', groups: ['system:authenticated'] },
};

const statusContext: RequestContext = { ...bindingContext, verb: 'patch', subresource: 'status' };
