import type { Steps } from '@kubewright/api/apply';
import { formatQuantity } from '@kubewright/api/quantity';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, stringAt, valueAt } from '../../../registry/objects/json-object.js';
import { selectorText } from '../../objects/selector-text.js';
import type { AutoscalerMetrics, TargetPods } from './autoscaler-metrics.js';
import { withPrefix } from './metrics-api.js';
import { MetricsError } from './pod-metrics.js';
import {
  type Proposal,
  type ReplicaState,
  replicasForAverage,
  replicasForShare,
  replicasForUtilization,
  replicasForValue,
  thousandths,
} from './replica-calculator.js';

/** The replicas that one metric requires. */
export interface MetricProposal {
  readonly replicas: number;
  /** Describes the metric in conditions and Events. */
  readonly name: string;
  /** The entry of `status.currentMetrics`. */
  readonly status: JsonDraft;
}

/** The error of one metric, with the reason and the message of the condition ScalingActive. */
export class MetricProposalError extends Error {
  readonly reason: string;
  readonly why: string;

  constructor(reason: string, why: string, message: string) {
    super(message);
    this.reason = reason;
    this.why = why;
  }
}

/** The state of an autoscaler and its scale target. */
export interface ProposalState extends ReplicaState, TargetPods {
  readonly autoscaler: ApiObject;
  readonly metrics: AutoscalerMetrics;
  /** The replicas in the status of the scale target. */
  readonly running: number;
}

const neither = {
  object: 'invalid object metric source: neither a value target nor an average value target was set',
  external: 'invalid external metric source: neither a value target nor an average value target was set',
  resource:
    'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
};

/** Returns the replicas that a metric of the spec requires. Throws a MetricProposalError for an unknown, missing or invalid metric. */
export function* proposalFor(state: ProposalState, metric: JsonDraft): Steps<MetricProposal> {
  const type = stringAt(metric, 'type');
  const field = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  const source = objectAt(metric, field);
  const rule = rules[type];
  if (rule === undefined) {
    const why = `unknown metric source type ${JSON.stringify(type)}`;
    throw new MetricProposalError('InvalidMetricSourceType', why, why);
  }
  try {
    const { status, ...proposal } = yield* rule.propose(state, source);
    return { ...proposal, status: { type, [field]: status } };
  } catch (error) {
    if (!(error instanceof MetricsError)) throw error;
    const message = `failed to get ${rule.subject(source)}: ${error.message}`;
    throw new MetricProposalError(`FailedGet${type}Metric`, error.message, message);
  }
}

interface Rule {
  /** Returns the name of the metric in the error of the autoscaler. */
  readonly subject: (source: JsonDraft) => string;
  readonly propose: (state: ProposalState, source: JsonDraft) => Steps<MetricProposal>;
}

const rules: Readonly<Partial<Record<string, Rule>>> = {
  Resource: {
    subject: (source) => `${stringAt(source, 'name')} resource metric value`,
    propose: (state, source) => forResource(state, source, ''),
  },
  ContainerResource: {
    subject: (source) => `${stringAt(source, 'container')} container metric value`,
    propose: (state, source) => forResource(state, source, stringAt(source, 'container')),
  },
  Pods: { subject: () => 'pods metric value', propose: forPods },
  Object: {
    subject: (source) => {
      const isValue = stringAt(source, 'target', 'type') === 'Value';
      return `object metric value${isValue ? '' : `: failed to get ${stringAt(source, 'metric', 'name')} object metric`}`;
    },
    propose: forObject,
  },
  External: {
    subject: (source) => {
      const name = stringAt(source, 'metric', 'name');
      const isAverage = targetOf(source, 'averageValue') !== undefined;
      const inner = isAverage ? `${name} external metric` : `external metric ${name}`;
      return `${name} external metric value: failed to get ${inner}`;
    },
    propose: forExternal,
  },
};

function* forResource(state: ProposalState, source: JsonDraft, container: string): Steps<MetricProposal> {
  const resource = stringAt(source, 'name');
  const average = targetOf(source, 'averageValue');
  const utilization = valueAt(source, 'target', 'averageUtilization');
  if (average === undefined && typeof utilization !== 'number') throw new MetricsError(neither.resource);
  const isShare = average === undefined;
  const prefix = `failed to get ${resource} ${isShare ? 'utilization' : 'usage'}`;
  const proposal = yield* withPrefix(prefix, resourceProposal());
  const kind = container === '' ? 'resource' : 'container resource';
  const format = resource === 'memory' ? 'BinarySI' : 'DecimalSI';
  const current = {
    ...(isShare && { averageUtilization: proposal.utilization }),
    averageValue: quantity(proposal.usage, format),
  };
  return {
    replicas: proposal.replicas,
    name: isShare ? `${resource} ${kind} utilization (percentage of request)` : `${resource} resource`,
    status: { name: resource, ...(container !== '' && { container }), current },
  };

  function* resourceProposal(): Steps<Proposal> {
    const read = state.metrics.usage(state, { resource, container });
    const metrics = yield* withPrefix(`unable to get metrics for resource ${resource}`, read);
    if (average !== undefined) return replicasForAverage(state, metrics, { average, resource });
    return replicasForUtilization(state, metrics, { utilization: Number(utilization), resource, container });
  }
}

function* forPods(state: ProposalState, source: JsonDraft): Steps<MetricProposal> {
  const metric = objectAt(source, 'metric');
  const name = stringAt(metric, 'name');
  const metrics = yield* withPrefix(`unable to get metric ${name}`, state.metrics.ofPods(state, metric));
  const { replicas, usage } = replicasForAverage(state, metrics, { average: targetOf(source, 'averageValue') ?? 0 });
  return {
    replicas,
    name: `pods metric ${name}`,
    status: { metric, current: { averageValue: quantity(usage) } },
  };
}

function* forObject(state: ProposalState, source: JsonDraft): Steps<MetricProposal> {
  const { metric, describedObject } = {
    metric: objectAt(source, 'metric'),
    describedObject: objectAt(source, 'describedObject'),
  };
  const name = stringAt(metric, 'name');
  const kind = stringAt(describedObject, 'kind');
  const [value, average] = [targetOf(source, 'value'), targetOf(source, 'averageValue')];
  const type = stringAt(source, 'target', 'type');
  const { namespace } = state;
  const measured = function* (): Steps<number> {
    try {
      return yield* state.metrics.ofObject(namespace, describedObject, metric);
    } catch (error) {
      if (!(error instanceof MetricsError)) throw error;
      const where = `${kind} on ${namespace} ${stringAt(describedObject, 'name')}`;
      throw new MetricsError(`unable to get metric ${name}: ${where}/${error.message}`, { cause: error });
    }
  };
  const shown = (current: JsonDraft): JsonDraft => ({ describedObject, metric, current });
  if (type === 'Value' && value !== undefined) {
    const { replicas, usage } = replicasForValue(state, yield* measured(), value);
    return { replicas, name: `${kind} metric ${name}`, status: shown({ value: quantity(usage) }) };
  }
  if (type !== 'AverageValue' || average === undefined) throw new MetricsError(neither.object);
  const { replicas, usage } = replicasForShare(state, yield* measured(), average);
  return { replicas, name: externalName(metric), status: shown({ averageValue: quantity(usage) }) };
}

function* forExternal(state: ProposalState, source: JsonDraft): Steps<MetricProposal> {
  const metric = objectAt(source, 'metric');
  const name = stringAt(metric, 'name');
  const [value, average] = [targetOf(source, 'value'), targetOf(source, 'averageValue')];
  if (value === undefined && average === undefined) throw new MetricsError(neither.external);
  const text = selectorText(metric['selector']);
  const values = yield* withPrefix(
    `unable to get external metric ${state.namespace}/${name}/${text}`,
    state.metrics.external(state.autoscaler, metric),
  );
  const total = values.reduce((sum, each) => sum + each, 0);
  const { replicas, usage } =
    average === undefined ? replicasForValue(state, total, value ?? 0) : replicasForShare(state, total, average);
  const current = { [average === undefined ? 'value' : 'averageValue']: quantity(usage) };
  return { replicas, name: externalName(metric), status: { metric, current } };
}

function externalName(metric: JsonDraft): string {
  return `external metric ${stringAt(metric, 'name')}(${selectorText(metric['selector'])})`;
}

function targetOf(source: JsonDraft, field: 'value' | 'averageValue'): number | undefined {
  const found = valueAt(source, 'target', field);
  return typeof found === 'string' ? thousandths(found) : undefined;
}

function quantity(milli: number, format: 'BinarySI' | 'DecimalSI' = 'DecimalSI'): string {
  return formatQuantity({ nanos: BigInt(milli) * 1_000_000n, format });
}
