import { isQuantity, parseQuantity } from '@kubewright/api/quantity';
import type { JsonDraft, JsonObject } from '../../../objects/api-object.js';
import { isObject, objectAt } from '../../../objects/json-object.js';
import { allContainers } from '../pod-spec/pod-spec-defaults.js';

const qosClassOf = ['cpu', 'memory'];

/** Returns the QoS class of a Pod, from the requests and limits of cpu and memory of the Pod or of its containers. */
export function podQosClass(spec: JsonDraft): string {
  const parts = isObject(spec['resources'])
    ? [spec['resources']]
    : allContainers(spec).map((container) => objectAt(container, 'resources'));
  const requests = totals(parts, 'requests');
  const limits = totals(parts, 'limits');
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const limited = parts.every((part) => amounts(part, 'limits').length === qosClassOf.length);
  const equal = qosClassOf.every((name) => requests.get(name) === limits.get(name));
  return limited && equal ? 'Guaranteed' : 'Burstable';
}

/** Returns the total amounts of cpu and memory. Zero amounts are the same as unset amounts. */
function totals(parts: readonly JsonObject[], field: string): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>();
  for (const [name, nanos] of parts.flatMap((part) => amounts(part, field))) {
    total.set(name, (total.get(name) ?? 0n) + nanos);
  }
  return total;
}

function amounts(part: JsonObject, field: string): readonly (readonly [string, bigint])[] {
  const list = objectAt(part, field);
  return qosClassOf.flatMap((name) => {
    const text = String(list[name] ?? '');
    // Validation reports invalid amounts later.
    const nanos = isQuantity(text) ? parseQuantity(text).nanos : 0n;
    return nanos > 0n ? [[name, nanos] as const] : [];
  });
}
