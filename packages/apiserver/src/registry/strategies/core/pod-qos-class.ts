import { isQuantity, parseQuantity } from '@kubewright/api/quantity';
import { isObject, type JsonDraft, type JsonObject, objectAt } from '../../json-object.js';
import { allContainers } from './pod-spec-defaults.js';

const judged = ['cpu', 'memory'];

/** How well the Pod is guarded against eviction, from its requests and limits of cpu and memory, or from its containers'. */
export function podQosClass(spec: JsonDraft): string {
  const parts = isObject(spec['resources'])
    ? [spec['resources']]
    : allContainers(spec).map((container) => objectAt(container, 'resources'));
  const requests = totals(parts, 'requests');
  const limits = totals(parts, 'limits');
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const limited = parts.every((part) => amounts(part, 'limits').length === judged.length);
  const equal = judged.every((name) => requests.get(name) === limits.get(name));
  return limited && equal ? 'Guaranteed' : 'Burstable';
}

/** What of cpu and memory is asked for in all; nothing of it counts as not asked for. */
function totals(parts: readonly JsonObject[], field: string): ReadonlyMap<string, bigint> {
  const total = new Map<string, bigint>();
  for (const [name, nanos] of parts.flatMap((part) => amounts(part, field))) {
    total.set(name, (total.get(name) ?? 0n) + nanos);
  }
  return total;
}

function amounts(part: JsonObject, field: string): readonly (readonly [string, bigint])[] {
  const list = objectAt(part, field);
  return judged.flatMap((name) => {
    const text = String(list[name] ?? '');
    // Amounts that cannot be read are reported by the validation, which comes later.
    const nanos = isQuantity(text) ? parseQuantity(text).nanos : 0n;
    return nanos > 0n ? [[name, nanos] as const] : [];
  });
}
