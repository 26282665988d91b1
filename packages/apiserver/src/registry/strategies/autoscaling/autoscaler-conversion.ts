import { metricToV1, metricToV2 } from './autoscaler-metrics.js';
import type { IncomingMeta, IncomingObject, JsonDraft } from '../../objects/api-object.js';
import { copyJson, isObject, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { ResourceDefinition } from '../../definitions/resource-definition.js';

const v1 = 'autoscaling/v1';
const v2 = 'autoscaling/v2';
const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const currentMetricsAnnotation = 'autoscaling.alpha.kubernetes.io/current-metrics';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions';
const annotationsOfConversion = [
  metricsAnnotation,
  currentMetricsAnnotation,
  behaviorAnnotation,
  conditionsAnnotation,
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
];

/**
 * Converts between HorizontalPodAutoscalers of autoscaling/v1 and the stored objects of autoscaling/v2. Annotations contain the values for
 * which autoscaling/v1 does not have a field.
 */
export const autoscalerConversion: Pick<ResourceDefinition, 'toStored' | 'fromStored'> = {
  toStored: (object) => autoscalerToV2(object),
  fromStored: (stored) => autoscalerToV1(stored),
};

/**
 * Converts an autoscaler to autoscaling/v2. An autoscaler without metrics gets the default metric of 80 % CPU utilization. Returns the same
 * reference if the object already has this version.
 */
export function autoscalerToV2<T extends IncomingObject>(object: T): T {
  if (object.apiVersion === v2) return object;
  const annotations = objectAt(object, 'metadata', 'annotations') as Record<string, string>;
  const spec = copyJson(objectAt(object, 'spec'));
  const cpu = numberAt(spec, 'targetCPUUtilizationPercentage');
  delete spec['targetCPUUtilizationPercentage'];
  const others = listIn(annotations[metricsAnnotation]).map((metric) => metricToV2(metric, 'target'));
  const metrics = cpu === undefined ? others : [...others, cpuMetric(cpu)];
  spec['metrics'] = metrics.length === 0 ? [cpuMetric(80)] : metrics;
  const behavior = parsed(annotations[behaviorAnnotation]);
  if (isObject(behavior) && Object.keys(behavior).length > 0) spec['behavior'] = renamed(behavior, lower);
  const { status } = object;
  return {
    ...object,
    apiVersion: v2,
    metadata: withoutConversion(object.metadata),
    spec,
    ...(isObject(status) ? { status: statusToV2(status, annotations) } : {}),
  };
}

function statusToV2(status: JsonDraft, annotations: Readonly<Record<string, string>>): JsonDraft {
  const { currentCPUUtilizationPercentage: cpu, ...result } = status;
  const metrics = listIn(annotations[currentMetricsAnnotation]).map((metric) => metricToV2(metric, 'current'));
  if (metrics.length > 0) result['currentMetrics'] = metrics;
  else if (cpu === undefined) result['currentMetrics'] = null;
  else
    result['currentMetrics'] = [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: cpu } } }];
  const conditions = listIn(annotations[conditionsAnnotation]);
  if (conditions.length > 0) result['conditions'] = conditions;
  return result;
}

/** Converts an autoscaler of autoscaling/v2 to autoscaling/v1. */
export function autoscalerToV1<T extends IncomingObject>(stored: T): T {
  const { metrics: _, behavior, ...spec } = copyJson(objectAt(stored, 'spec'));
  const metrics = objectsAt(stored, 'spec', 'metrics');
  const cpu = metrics.find(isCpuUtilization);
  if (cpu !== undefined) {
    spec['targetCPUUtilizationPercentage'] = numberAt(cpu, 'resource', 'target', 'averageUtilization');
  }
  const others = metrics.filter((metric) => !isCpuUtilization(metric));
  const current = objectsAt(stored, 'status', 'currentMetrics');
  const conditions = objectsAt(stored, 'status', 'conditions');
  const kept: Record<string, string> = {};
  if (others.length > 0) kept[metricsAnnotation] = text(others.map((metric) => metricToV1(metric, 'target')));
  if (current.length > 0) kept[currentMetricsAnnotation] = text(current.map((metric) => metricToV1(metric, 'current')));
  if (isObject(behavior)) kept[behaviorAnnotation] = text(behaviorToV1(behavior));
  if (conditions.length > 0) kept[conditionsAnnotation] = text(conditions.map(orderedCondition));
  const metadata = withoutConversion(stored.metadata);
  if (Object.keys(kept).length > 0) metadata.annotations = { ...metadata.annotations, ...kept };
  const { status } = stored;
  return { ...stored, apiVersion: v1, metadata, spec, ...(isObject(status) ? { status: statusToV1(status) } : {}) };
}

function statusToV1(status: JsonDraft): JsonDraft {
  const { currentMetrics, conditions: _, ...result } = status;
  const cpu = objectsAt({ currentMetrics }, 'currentMetrics').find(
    (metric) => metric['type'] === 'Resource' && stringAt(metric, 'resource', 'name') === 'cpu',
  );
  const percentage = numberAt(cpu, 'resource', 'current', 'averageUtilization');
  if (percentage !== undefined) result['currentCPUUtilizationPercentage'] = percentage;
  result['currentReplicas'] ??= 0;
  return result;
}

/**
 * Converts the behavior to the value of its annotation in autoscaling/v1. The annotation contains the scaling rules with the field names of
 * the internal type of kube-apiserver.
 */
function behaviorToV1(behavior: JsonDraft): JsonDraft {
  const rules = (name: string): JsonDraft | null => {
    const given = valueAt(behavior, name);
    if (!isObject(given)) return null;
    const policies = objectsAt(given, 'policies').map(({ type, value, periodSeconds }) => ({
      Type: type,
      Value: value,
      PeriodSeconds: periodSeconds,
    }));
    return {
      StabilizationWindowSeconds: given['stabilizationWindowSeconds'] ?? null,
      SelectPolicy: given['selectPolicy'] ?? null,
      Policies: policies,
      Tolerance: given['tolerance'] ?? null,
    };
  };
  return { ScaleUp: rules('scaleUp'), ScaleDown: rules('scaleDown') };
}

function orderedCondition({ type, status, lastTransitionTime, reason, message }: JsonDraft): JsonDraft {
  const given = { type, status, lastTransitionTime: lastTransitionTime ?? null, reason, message };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
}

function isCpuUtilization(metric: JsonDraft): boolean {
  return (
    metric['type'] === 'Resource' &&
    stringAt(metric, 'resource', 'name') === 'cpu' &&
    numberAt(metric, 'resource', 'target', 'averageUtilization') !== undefined
  );
}

function cpuMetric(averageUtilization: number): JsonDraft {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function withoutConversion<T extends IncomingMeta>(given: T): T {
  const metadata = { ...given };
  if (metadata.annotations === undefined) return metadata;
  const left = Object.entries(metadata.annotations).filter(([name]) => !annotationsOfConversion.includes(name));
  if (left.length === 0) delete metadata.annotations;
  else metadata.annotations = Object.fromEntries(left);
  return metadata;
}

function renamed(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [rename(key), renamed(item, rename)]));
}

function lower(key: string): string {
  return key.slice(0, 1).toLowerCase() + key.slice(1);
}

function text(value: unknown): string {
  return JSON.stringify(value);
}

/**
 * Parses the JSON of an annotation. Returns undefined if the annotation is unset or is not valid JSON; the conversion ignores such an
 * annotation.
 */
function parsed(annotation: string | undefined): unknown {
  if (annotation === undefined) return undefined;
  try {
    return JSON.parse(annotation) as unknown;
  } catch {
    return undefined;
  }
}

function listIn(annotation: string | undefined): readonly JsonDraft[] {
  return objectsAt({ list: parsed(annotation) }, 'list');
}
