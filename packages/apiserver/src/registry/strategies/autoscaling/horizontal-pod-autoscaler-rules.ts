import { append } from '@kubewright/api/json';
import { pathSegmentErrors } from '@kubewright/api/names';
import { compareQuantities, isQuantity } from '@kubewright/api/quantity';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, numberAt, objectAt, objectsAt, stringAt } from '../../objects/json-object.js';

const longestWindow = 3600;
const longestPeriod = 1800;
const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

/** Returns the errors of a HorizontalPodAutoscaler in the version autoscaling/v2. */
export function autoscalerErrors(autoscaler: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectAt(autoscaler, 'spec');
  const least = numberAt(spec, 'minReplicas');
  const most = numberAt(spec, 'maxReplicas') ?? 0;
  const errors: FieldError[] = [];
  const fewest = numberAt(old, 'spec', 'minReplicas') === 0 ? 0 : 1;
  if (least !== undefined && least < fewest) {
    errors.push(fieldErrors.invalid('spec.minReplicas', least, `must be greater than or equal to ${fewest}`));
  }
  if (most === 0) errors.push(fieldErrors.required('spec.maxReplicas', 'must be set and greater than 0'));
  else if (most < 0) errors.push(fieldErrors.invalid('spec.maxReplicas', most, 'must be greater than or equal to 1'));
  if (least !== undefined && most < least) {
    errors.push(fieldErrors.invalid('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`'));
  }
  const target = objectAt(spec, 'scaleTargetRef');
  append(errors, referenceErrors(target, 'spec.scaleTargetRef'), targetVersionErrors(target, old));
  const metrics = objectsAt(spec, 'metrics');
  append(
    errors,
    errorsOfEach(metrics, (metric, index) => metricErrors(metric, `spec.metrics[${index}]`)),
  );
  if (least === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(fieldErrors.forbidden('spec.metrics', why));
  }
  for (const direction of ['scaleUp', 'scaleDown']) {
    const rules = objectAt(spec, 'behavior')[direction];
    if (isObject(rules)) append(errors, scalingErrors(rules, `spec.behavior.${direction}`));
  }
  return errors;
}

function referenceErrors(reference: JsonDraft, path: string): readonly FieldError[] {
  return ['kind', 'name'].flatMap((field) => {
    const value = stringAt(reference, field);
    if (value === '') return [fieldErrors.required(`${path}.${field}`)];
    return pathSegmentErrors(value).map((why) => fieldErrors.invalid(`${path}.${field}`, value, why));
  });
}

/**
 * Returns the errors of the apiVersion in scaleTargetRef. The API group is required, except for a ReplicationController. A reference with
 * an unchanged apiVersion and kind is not validated.
 */
function targetVersionErrors(target: JsonDraft, old: ApiObject | undefined): readonly FieldError[] {
  const before = objectAt(old, 'spec', 'scaleTargetRef');
  const version = stringAt(target, 'apiVersion');
  if (old !== undefined && stringAt(before, 'apiVersion') === version && before['kind'] === target['kind']) return [];
  const path = 'spec.scaleTargetRef.apiVersion';
  const malformed = versionErrors(version, path);
  if (malformed.length > 0 || target['kind'] === 'ReplicationController' || version.includes('/')) return malformed;
  return [fieldErrors.invalid(path, version, 'apiVersion must specify API group')];
}

function versionErrors(version: string, path: string): readonly FieldError[] {
  if (version.split('/').length <= 2) return [];
  return [fieldErrors.invalid(path, version, `unexpected GroupVersion string: ${version}`)];
}

function metricErrors(metric: JsonDraft, path: string): readonly FieldError[] {
  const type = stringAt(metric, 'type');
  const errors: FieldError[] = [];
  if (type === '') errors.push(fieldErrors.required(`${path}.type`, 'must specify a metric source type'));
  const known = metricTypes.includes(type);
  if (!known) errors.push(fieldErrors.notSupported(`${path}.type`, type, metricTypes));
  const given = ['object', 'external', 'pods', 'resource', 'containerResource'].filter((source) =>
    isObject(metric[source]),
  );
  const first = given[0];
  if (first !== undefined) append(errors, sourceErrors(first, objectAt(metric, first), `${path}.${first}`));
  const expected = type.slice(0, 1).toLowerCase() + type.slice(1);
  if (!known) errors.push(fieldErrors.notSupported(`${path}.type`, type, metricTypes));
  else if (!given.includes(expected)) {
    errors.push(fieldErrors.required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (given.length === 1) return errors;
  const surplus = given.filter((source) => source !== expected);
  const why = 'must populate the given metric source only';
  return [...errors, ...surplus.map((source) => fieldErrors.forbidden(`${path}.${source}`, why))];
}

function sourceErrors(name: string, source: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (name === 'object')
    append(errors, referenceErrors(objectAt(source, 'describedObject'), `${path}.describedObject`));
  if (name === 'resource' || name === 'containerResource') {
    if (stringAt(source, 'name') === '')
      errors.push(fieldErrors.required(`${path}.name`, 'must specify a resource name'));
    if (name === 'containerResource' && stringAt(source, 'container') === '') {
      errors.push(fieldErrors.required(`${path}.container`, 'must specify a container'));
    }
  } else {
    const metric = stringAt(source, 'metric', 'name');
    if (metric === '') errors.push(fieldErrors.required(`${path}.metric.name`, 'must specify a metric name'));
    else
      append(
        errors,
        pathSegmentErrors(metric).map((why) => fieldErrors.invalid(`${path}.metric.name`, metric, why)),
      );
  }
  const target = objectAt(source, 'target');
  return [...errors, ...targetErrors(target, `${path}.target`), ...amountErrors(name, target, `${path}.target`)];
}

function targetErrors(target: JsonDraft, path: string): readonly FieldError[] {
  const type = stringAt(target, 'type');
  const errors: FieldError[] = [];
  if (type === '') errors.push(fieldErrors.required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    errors.push(fieldErrors.invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const field of ['value', 'averageValue']) {
    const amount = target[field];
    if (!isQuantity(amount) || compareQuantities(String(amount), '0') > 0) continue;
    errors.push(fieldErrors.invalid(`${path}.${field}`, amount, 'must be positive'));
  }
  const utilization = numberAt(target, 'averageUtilization');
  if (utilization !== undefined && utilization < 1) {
    errors.push(fieldErrors.invalid(`${path}.averageUtilization`, utilization, 'must be greater than 0'));
  }
  return errors;
}

/** Returns the errors of a metric target with missing or conflicting amounts. */
function amountErrors(name: string, target: JsonDraft, path: string): readonly FieldError[] {
  const has = (field: string): boolean => target[field] !== undefined;
  switch (name) {
    case 'pods':
      if (has('averageValue')) return [];
      return [fieldErrors.required(`${path}.averageValue`, 'must specify a positive target averageValue')];
    case 'object':
      if (has('value') || has('averageValue')) return [];
      return [fieldErrors.required(`${path}.averageValue`, 'must set either a target value or averageValue')];
    case 'external': {
      const why = 'may not set both a target value for metric and a per-pod target';
      if (has('value') && has('averageValue')) return [fieldErrors.forbidden(`${path}.value`, why)];
      if (has('value') || has('averageValue')) return [];
      const none = 'must set either a target value for metric or a per-pod target';
      return [fieldErrors.required(`${path}.averageValue`, none)];
    }
    default: {
      const both = 'may not set both a target raw value and a target utilization';
      if (has('averageUtilization') && has('averageValue'))
        return [fieldErrors.forbidden(`${path}.averageValue`, both)];
      if (has('averageUtilization') || has('averageValue')) return [];
      const none = 'must set either a target raw value or a target utilization';
      return [fieldErrors.required(`${path}.averageUtilization`, none)];
    }
  }
}

function scalingErrors(rules: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const at = `${path}.stabilizationWindowSeconds`;
  const window = numberAt(rules, 'stabilizationWindowSeconds') ?? 0;
  if (window < 0) errors.push(fieldErrors.invalid(at, window, 'must be greater than or equal to zero'));
  if (window > longestWindow)
    errors.push(fieldErrors.invalid(at, window, `must be less than or equal to ${longestWindow}`));
  const select = stringAt(rules, 'selectPolicy');
  if (!['Disabled', 'Max', 'Min'].includes(select)) {
    errors.push(fieldErrors.notSupported(`${path}.selectPolicy`, select, ['Disabled', 'Max', 'Min']));
  }
  const policies = objectsAt(rules, 'policies');
  if (policies.length === 0) errors.push(fieldErrors.required(`${path}.policies`, 'must specify at least one Policy'));
  append(
    errors,
    errorsOfEach(policies, (policy, index) => policyErrors(policy, `${path}.policies[${index}]`)),
  );
  const tolerance = rules['tolerance'];
  if (isQuantity(tolerance) && compareQuantities(String(tolerance), '0') < 0) {
    errors.push(fieldErrors.invalid(`${path}.tolerance`, tolerance, 'must be greater than or equal to 0'));
  }
  return errors;
}

function policyErrors(policy: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = stringAt(policy, 'type');
  if (type !== 'Pods' && type !== 'Percent') {
    errors.push(fieldErrors.notSupported(`${path}.type`, type, ['Percent', 'Pods']));
  }
  const value = numberAt(policy, 'value') ?? 0;
  if (value <= 0) errors.push(fieldErrors.invalid(`${path}.value`, value, 'must be greater than zero'));
  const period = numberAt(policy, 'periodSeconds') ?? 0;
  const at = `${path}.periodSeconds`;
  if (period <= 0) errors.push(fieldErrors.invalid(at, period, 'must be greater than zero'));
  if (period > longestPeriod)
    errors.push(fieldErrors.invalid(at, period, `must be less than or equal to ${longestPeriod}`));
  return errors;
}
