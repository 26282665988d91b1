import type { JsonDraft } from '../../registry/objects/api-object.js';

/** A condition without transition times. */
export interface NewCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns the conditions with `condition` at the end, instead of the existing condition of this type. If the existing condition has the
 * same status and reason, returns the conditions unchanged. If only the status is the same, the new condition keeps the transition time. If
 * `times.updated` is true, the new condition also has a `lastUpdateTime`.
 */
export function withCondition(
  conditions: readonly JsonDraft[],
  condition: NewCondition,
  times: { readonly now: string; readonly updated?: boolean },
): readonly JsonDraft[] {
  const known = conditions.find(({ type }) => type === condition.type);
  if (known?.['status'] === condition.status && known['reason'] === condition.reason) return conditions;
  const lastTransitionTime = known?.['status'] === condition.status ? known['lastTransitionTime'] : times.now;
  const next = { ...condition, lastTransitionTime, ...(times.updated === true ? { lastUpdateTime: times.now } : {}) };
  return [...withoutCondition(conditions, condition.type), next];
}

/** Returns whether a known condition has the status, the reason and the message of a new condition. */
export function isSameCondition(known: JsonDraft | undefined, { status, reason, message }: Omit<NewCondition, 'type'>) {
  return known?.['status'] === status && known['reason'] === reason && known['message'] === message;
}

/** Returns the conditions except the condition of the given type. */
export function withoutCondition(conditions: readonly JsonDraft[], type: string): readonly JsonDraft[] {
  return conditions.some((condition) => condition['type'] === type)
    ? conditions.filter((condition) => condition['type'] !== type)
    : conditions;
}
