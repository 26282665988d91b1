import { type Steps, withBreak } from '@kubewright/api/apply';
import { ApiError } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import { type LabelSelector, parseLabelSelector } from '@kubewright/api/selectors';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { ApiObject, DraftObject, JsonDraft } from '../../../registry/objects/api-object.js';
import {
  draftOf,
  madeAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  valueAt,
} from '../../../registry/objects/json-object.js';
import type { Resource } from '../../../registry/resource.js';
import { groupOf } from '../../objects/controller-reference.js';
import { keyText } from '../../objects/object-reference.js';
import type { NewCondition } from '../../objects/condition-list.js';
import type { ControllerSetting } from '../../work/controller.js';
import { controllerContext } from '../../work/controller-context.js';
import { writeStatus } from '../pods/write-status.js';
import type { AutoscalerMetrics } from './autoscaler-metrics.js';
import { AutoscalerStatus } from './autoscaler-status.js';
import { type MetricProposal, MetricProposalError, proposalFor, type ProposalState } from './metric-proposals.js';
import { thousandths, type Tolerances } from './replica-calculator.js';
import type { ScalingHistory } from './scaling-history.js';
import { limited, longestPeriodMs, stabilized } from './scaling-limits.js';

export const controllerName = 'horizontal-pod-autoscaler';
const tolerance = 0.1;

/** The resource and the Scale of the object that an autoscaler scales. */
interface Target {
  readonly resource: Resource;
  readonly scale: ApiObject;
}

/** The metrics, and the state that the controller keeps between the reconciles of its autoscalers. */
export interface AutoscalerTools {
  readonly metrics: AutoscalerMetrics;
  readonly history: ScalingHistory;
  /** The selectors of the scale targets, by the keys of all autoscalers that have been reconciled. */
  readonly selectors: Map<string, LabelSelector>;
}

/** The reason why an autoscaler does not change its scale target. The conditions and the Events already report the reason. */
class Stopped extends Error {}

/** One reconcile of a HorizontalPodAutoscaler. */
export class AutoscalerWork {
  readonly #setting: ControllerSetting;
  readonly #autoscaler: ApiObject;
  readonly #tools: AutoscalerTools;
  readonly #status: AutoscalerStatus;
  readonly #now: Date;

  constructor(setting: ControllerSetting, autoscaler: ApiObject, tools: AutoscalerTools) {
    this.#setting = setting;
    this.#autoscaler = autoscaler;
    this.#tools = tools;
    this.#now = setting.registry.clock.now();
    this.#status = new AutoscalerStatus(autoscaler, timestamp(this.#now));
  }

  /** Computes the replicas from the metrics, changes the scale target, and writes the status of the autoscaler. */
  *advance(): Steps<void> {
    try {
      yield* this.#scale();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
    const status = this.#status.value;
    if (deepEqual(status, objectAt(this.#autoscaler, 'status'))) return;
    const resource = this.#setting.registry.builtIn('autoscaling/v2/horizontalpodautoscalers');
    try {
      yield* writeStatus(resource, this.#autoscaler, { status, name: controllerName });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#warn('FailedUpdateStatus', error.message);
    }
  }

  *#scale(): Steps<void> {
    const target = this.#target();
    const { history } = this.#tools;
    const current = numberAt(target.scale, 'spec', 'replicas') ?? 0;
    const min = numberAt(this.#autoscaler, 'spec', 'minReplicas') ?? 1;
    const max = numberAt(this.#autoscaler, 'spec', 'maxReplicas') ?? 0;
    history.begin(current, this.#now.getTime());
    if (current === 0) {
      const message = 'scaling is disabled since the replica count of the target is zero';
      this.#set('ScalingActive', 'False', { reason: 'ScalingDisabled', message });
      this.#status.report({ current, desired: 0, metrics: null });
      return;
    }
    if (current > max || current < min) {
      const [desired, limit] = current > max ? [max, 'above Spec.MaxReplicas'] : [min, 'below Spec.MinReplicas'];
      yield* this.#rescale(target, { current, desired, metrics: null, why: `Current number of replicas ${limit}` });
      return;
    }
    const { proposal, metrics } = yield* this.#proposal(target, current);
    const range = { current, desired: proposal.replicas, min, max };
    const past = { history, nowMs: this.#now.getTime() };
    const stable = stabilized(this.#autoscaler, range, past);
    this.#set('AbleToScale', 'True', stable);
    const { replicas: desired, ...limit } = limited(this.#autoscaler, { ...range, desired: stable.replicas }, past);
    this.#set('ScalingLimited', desired === stable.replicas ? 'False' : 'True', limit);
    if (desired === current) {
      this.#status.report({ current, desired, metrics });
      return;
    }
    const why =
      proposal.replicas > current
        ? `${proposal.name} above target`
        : proposal.replicas < current
          ? 'All metrics below target'
          : '';
    yield* this.#rescale(target, { current, desired, metrics, why });
  }

  /** Returns the scale target. If the target does not exist or has no Scale, reports the reason and throws a Stopped. */
  #target(): Target {
    try {
      const target = this.#found();
      const message = "the HPA controller was able to get the target's current scale";
      this.#set('AbleToScale', 'True', { reason: 'SucceededGetScale', message });
      return target;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof NoScale)) throw error;
      this.#warn('FailedGetScale', error.message);
      const message = `the HPA controller was unable to get the target's current scale: ${error.message}`;
      this.#set('AbleToScale', 'False', { reason: 'FailedGetScale', message });
      throw new Stopped();
    }
  }

  #found(): Target {
    const { registry } = this.#setting;
    const reference = objectAt(this.#autoscaler, 'spec', 'scaleTargetRef');
    const [apiVersion, kind] = [stringAt(reference, 'apiVersion'), stringAt(reference, 'kind')];
    if (apiVersion.split('/').length > 2) throw new NoScale(`unexpected GroupVersion string: ${apiVersion}`);
    const group = groupOf(apiVersion);
    const definition = registry.all().find((each) => each.group === group && each.kind === kind);
    if (definition === undefined) throw new NoScale(`no matches for kind "${kind}" in group "${group}"`);
    if (definition.scale === undefined) throw new NoScale('the server could not find the requested resource');
    const key = { name: stringAt(reference, 'name'), namespace: this.#autoscaler.metadata.namespace };
    const stored = registry.resource(definition).stored(key);
    const resource = registry.asStored(definition, stored);
    return { resource, scale: resource.getScale(key) };
  }

  /** Returns the greatest number of replicas that a metric requires, and the status of all metrics. */
  *#proposal(
    { scale }: Target,
    current: number,
  ): Steps<{ readonly proposal: MetricProposal; readonly metrics: readonly JsonDraft[] }> {
    const running = numberAt(scale, 'status', 'replicas') ?? 0;
    const selection = this.#selection(scale, current);
    const state: ProposalState = {
      ...selection,
      autoscaler: this.#autoscaler,
      metrics: this.#tools.metrics,
      namespace: this.#autoscaler.metadata.namespace ?? '',
      current,
      running,
      tolerances: tolerancesOf(this.#autoscaler),
      now: this.#now,
    };
    const specs = objectsAt(this.#autoscaler, 'spec', 'metrics');
    const metrics: JsonDraft[] = [];
    const failures: MetricProposalError[] = [];
    let best: MetricProposal | undefined;
    for (const spec of specs) {
      const found = yield* proposalOrError(state, spec);
      if (found instanceof MetricProposalError) {
        failures.push(found);
        this.#warn(found.reason, found.why);
        metrics.push({ type: '' });
        continue;
      }
      metrics.push(found.status);
      if (best === undefined || found.replicas > best.replicas) best = found;
    }
    const [failure] = failures;
    // If a metric is missing, the other metrics can only increase the replicas.
    if (failure !== undefined && (best === undefined || best.replicas < current)) {
      const message = `the HPA was unable to compute the replica count: ${failure.why}`;
      this.#set('ScalingActive', 'False', { reason: failure.reason, message });
      const counts = `${failures.length} invalid out of ${specs.length}`;
      this.#fail(current, metrics, `invalid metrics (${counts}), first error is: ${failure.message}`);
    }
    const proposal = best ?? { replicas: 0, name: '', status: {} };
    const message = `the HPA was able to successfully calculate a replica count from ${proposal.name}`;
    this.#set('ScalingActive', 'True', { reason: 'ValidMetricFound', message });
    return { proposal, metrics };
  }

  /**
   * Returns the Pods that the selector of the Scale matches. If the selector is missing or invalid, or if several autoscalers select the
   * Pods, reports the reason and throws a Stopped.
   */
  #selection(scale: ApiObject, current: number): Pick<ProposalState, 'selector' | 'pods'> {
    const text = stringAt(scale, 'status', 'selector');
    if (text === '') {
      this.#warn('SelectorRequired', 'selector is required');
      const message = "the HPA target's scale is missing a selector";
      this.#set('ScalingActive', 'False', { reason: 'InvalidSelector', message });
      this.#fail(current, null, 'selector is required');
    }
    const selector = this.#parsed(text, current);
    const { namespace } = this.#autoscaler.metadata;
    const { selectors } = this.#tools;
    selectors.set(keyText(this.#autoscaler.metadata), selector);
    const pods = this.#setting.index
      .inNamespace('/pods', namespace)
      .filter(({ metadata }) => selector.matches(metadata.labels ?? {}));
    const users = [...selectors].filter(
      ([key, other]) =>
        key.startsWith(`${namespace}/`) && pods.some(({ metadata }) => other.matches(metadata.labels ?? {})),
    );
    if (users.length > 1) {
      const keys = users.map(([key]) => key).toSorted();
      const message = `pods by selector ${text} are controlled by multiple HPAs: [${keys.join(' ')}]`;
      this.#refuse('AmbiguousSelector', message, current);
    }
    return { selector: text, pods };
  }

  #parsed(text: string, current: number): LabelSelector {
    try {
      return parseLabelSelector(text);
    } catch (error) {
      const why = (error as Error).message;
      const message = `couldn't convert selector into a corresponding internal selector object: ${why}`;
      return this.#refuse('InvalidSelector', message, current);
    }
  }

  #refuse(reason: string, message: string, current: number): never {
    this.#warn(reason, message);
    this.#set('ScalingActive', 'False', { reason, message });
    return this.#fail(current, null, message);
  }

  #fail(current: number, metrics: readonly JsonDraft[] | null, message: string): never {
    this.#status.report({ current, metrics });
    this.#warn('FailedComputeMetricsReplicas', message);
    throw new Stopped();
  }

  *#rescale(
    { resource, scale }: Target,
    change: {
      readonly current: number;
      readonly desired: number;
      readonly metrics: readonly JsonDraft[] | null;
      readonly why: string;
    },
  ): Steps<void> {
    const { current, desired, metrics, why } = change;
    const context = controllerContext(controllerName, 'update', 'scale');
    const update = withBreak((live: ApiObject): DraftObject => {
      const draft = draftOf(live);
      madeAt(draft, 'spec')['replicas'] = desired;
      return draft;
    });
    try {
      yield* resource.updateScaleSteps(scale.metadata, update, context);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#warn('FailedRescale', `New size: ${desired}; reason: ${why}; error: ${error.message}`);
      const message = `the HPA controller was unable to update the target scale: ${error.message}`;
      this.#set('AbleToScale', 'False', { reason: 'FailedUpdateScale', message });
      this.#status.report({ current, metrics });
      return;
    }
    const message = `the HPA controller was able to update the target scale to ${desired}`;
    this.#set('AbleToScale', 'True', { reason: 'SucceededRescale', message });
    this.#record('Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${why}`);
    const behavior = valueAt(this.#autoscaler, 'spec', 'behavior');
    if (behavior !== undefined) {
      const nowMs = this.#now.getTime();
      const oldMs = nowMs - longestPeriodMs(behavior, desired > current ? 'scaleUp' : 'scaleDown');
      this.#tools.history.changed(desired - current, { atMs: nowMs, oldMs });
    }
    this.#status.report({ current, desired, metrics, rescaled: true });
  }

  #set(
    type: string,
    status: NewCondition['status'],
    { reason, message }: { readonly reason: string; readonly message: string },
  ): void {
    this.#status.set({ type, status, reason, message });
  }

  #warn(reason: string, message: string): void {
    this.#record('Warning', reason, message);
  }

  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#setting.events.record(this.#autoscaler, { type, reason, message }, { component: controllerName });
  }
}

/** The reason why the scale target has no Scale. */
class NoScale extends Error {}

function* proposalOrError(state: ProposalState, spec: JsonDraft): Steps<MetricProposal | MetricProposalError> {
  try {
    return yield* proposalFor(state, spec);
  } catch (error) {
    if (error instanceof MetricProposalError) return error;
    throw error;
  }
}

function tolerancesOf(autoscaler: ApiObject): Tolerances {
  const [down, up] = (['scaleDown', 'scaleUp'] as const).map((direction) => {
    const own = valueAt(autoscaler, 'spec', 'behavior', direction, 'tolerance');
    return typeof own === 'string' ? thousandths(own) / 1000 : tolerance;
  });
  return { down: down ?? tolerance, up: up ?? tolerance };
}
