import type { JsonDraft } from '../../objects/api-object.js';
import { isObject, objectAt, stringAt } from '../../objects/json-object.js';

/** The fields of a metric source in autoscaling/v1 that differ from autoscaling/v2. */
interface MetricForm {
  /**
   * The v1 field for the name of the metric, which is `metric.name` in v2. @default none: the source is a resource, and `name` is the name
   * of the resource in both versions
   */
  readonly metricName?: string;
  readonly selector?: string;
  /** Whether the source has a `describedObject`. The field is `target` in v1. */
  readonly describes?: true;
  /** The v1 field of each target value, by v2 field: `value`, `averageValue` or `averageUtilization`. */
  readonly desired: Readonly<Record<string, string>>;
  /** The v1 field of each current value, by v2 field. */
  readonly measured: Readonly<Record<string, string>>;
  /**
   * The v1 fields, in the order in which v1 writes them. Names that begin with an upper-case letter get the prefix `target` or `current`.
   */
  readonly order: readonly string[];
}

const resource = {
  desired: { averageUtilization: 'targetAverageUtilization', averageValue: 'targetAverageValue' },
  measured: { averageUtilization: 'currentAverageUtilization', averageValue: 'currentAverageValue' },
  order: ['name', 'AverageUtilization', 'AverageValue', 'container'],
};

const forms: Readonly<Record<string, MetricForm>> = {
  object: {
    metricName: 'metricName',
    selector: 'selector',
    describes: true,
    desired: { value: 'targetValue', averageValue: 'averageValue' },
    measured: { value: 'currentValue', averageValue: 'averageValue' },
    order: ['target', 'metricName', 'Value', 'selector', 'averageValue'],
  },
  pods: {
    metricName: 'metricName',
    selector: 'selector',
    desired: { averageValue: 'targetAverageValue' },
    measured: { averageValue: 'currentAverageValue' },
    order: ['metricName', 'AverageValue', 'selector'],
  },
  resource,
  containerResource: resource,
  external: {
    metricName: 'metricName',
    selector: 'metricSelector',
    desired: { value: 'targetValue', averageValue: 'targetAverageValue' },
    measured: { value: 'currentValue', averageValue: 'currentAverageValue' },
    order: ['metricName', 'metricSelector', 'Value', 'AverageValue'],
  },
};
const sources = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;

/** The fields of target values that autoscaling/v1 always writes, with the value '0' for unset fields. */
const always: ReadonlySet<string> = new Set(['object.Value', 'pods.AverageValue']);
const alwaysMeasured: ReadonlySet<string> = new Set([
  ...always,
  'resource.AverageValue',
  'containerResource.AverageValue',
  'external.Value',
]);

/** Converts the target values (`target`) or the current values (`current`) of a metric from autoscaling/v2 to autoscaling/v1. */
export function metricToV1(metric: JsonDraft, part: 'target' | 'current'): JsonDraft {
  const result: JsonDraft = { type: metric['type'] };
  for (const source of sources) {
    if (isObject(metric[source])) result[source] = sourceToV1(source, metric[source], part);
  }
  return result;
}

function sourceToV1(name: string, source: JsonDraft, part: 'target' | 'current'): JsonDraft {
  const form = forms[name] as MetricForm;
  const values = objectAt(source, part);
  const written: JsonDraft = {};
  if (form.metricName === undefined) written['name'] = source['name'];
  else written[form.metricName] = stringAt(source, 'metric', 'name');
  if (form.selector !== undefined) written[form.selector] = objectAt(source, 'metric')['selector'];
  if (form.describes) {
    const { kind, name: of, apiVersion } = objectAt(source, 'describedObject');
    written['target'] = { kind, name: of, apiVersion };
  }
  written['container'] = source['container'];
  const fields = part === 'target' ? form.desired : form.measured;
  for (const [field, old] of Object.entries(fields)) written[old] = values[field];
  const needed = part === 'target' ? always : alwaysMeasured;
  const ordered: JsonDraft = {};
  for (const field of form.order) {
    const key = /^[A-Z]/.test(field) ? `${part}${field}` : field;
    const value = written[key] ?? (needed.has(`${name}.${field}`) ? '0' : undefined);
    if (value !== undefined) ordered[key] = value;
  }
  return ordered;
}

/** Converts the target values (`target`) or the current values (`current`) of a metric from autoscaling/v1 to autoscaling/v2. */
export function metricToV2(metric: JsonDraft, part: 'target' | 'current'): JsonDraft {
  const result: JsonDraft = { type: metric['type'] };
  for (const source of sources) {
    if (isObject(metric[source])) result[source] = sourceToV2(source, metric[source], part);
  }
  return result;
}

function sourceToV2(name: string, source: JsonDraft, part: 'target' | 'current'): JsonDraft {
  const form = forms[name] as MetricForm;
  const result: JsonDraft = {};
  if (form.metricName === undefined) result['name'] = source['name'];
  else {
    const selector = form.selector === undefined ? undefined : source[form.selector];
    result['metric'] = { name: source[form.metricName], ...(selector === undefined ? {} : { selector }) };
  }
  if (form.describes) result['describedObject'] = source['target'];
  if (source['container'] !== undefined) result['container'] = source['container'];
  const values: JsonDraft = {};
  for (const [field, old] of Object.entries(part === 'target' ? form.desired : form.measured)) {
    if (source[old] !== undefined) values[field] = source[old];
  }
  if (part === 'target') {
    if (name === 'object' && values['averageValue'] !== undefined && values['value'] === '0') delete values['value'];
    values['type'] = targetType(values, name);
  }
  result[part] = values;
  return result;
}

function targetType(values: JsonDraft, name: string): string {
  if (values['averageUtilization'] !== undefined) return 'Utilization';
  if (name === 'object') return values['averageValue'] === undefined ? 'Value' : 'AverageValue';
  return values['value'] === undefined ? 'AverageValue' : 'Value';
}
