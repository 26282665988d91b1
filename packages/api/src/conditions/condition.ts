/** A status condition as defined by the Kubernetes API conventions. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number | undefined;
}

/** A status that can have conditions. */
export type HasConditions = { conditions?: unknown } | { readonly conditions?: readonly Condition[] | undefined };
type WithConditions = { readonly status?: HasConditions | undefined };

/** A condition as written by a controller. `client.patchStatus` sets `lastTransitionTime` and `observedGeneration`. */
export interface ConditionInit {
  readonly type: string;
  /** The status. True and false are written as 'True' and 'False'. */
  readonly status: boolean | 'Unknown';
  /** The reason for programs: one word in CamelCase. */
  readonly reason: string;
  /** The message for people. @default '' */
  readonly message?: string;
}

/**
 * Adds a condition to a status draft, or updates the existing condition of the same type. Leaves `lastTransitionTime` empty if the
 * condition is new or its status changes, and removes `observedGeneration`. `client.patchStatus` sets both fields when it sends the draft,
 * because the observed generation of the object is not known earlier.
 */
export function setCondition(status: { conditions?: Condition[] | undefined }, condition: ConditionInit): void {
  const desired = {
    type: condition.type,
    status: condition.status === 'Unknown' ? 'Unknown' : condition.status ? 'True' : 'False',
    reason: condition.reason,
    message: condition.message ?? '',
  } as const;
  status.conditions ??= [];
  const { conditions } = status;
  const index = conditions.findIndex((each) => each.type === desired.type);
  const known = conditions[index];
  if (known === undefined) {
    conditions.push({ ...desired, lastTransitionTime: '' });
    return;
  }
  const { observedGeneration: _, ...old } = known;
  const lastTransitionTime = old.status === desired.status ? old.lastTransitionTime : '';
  conditions[index] = { ...old, ...desired, lastTransitionTime };
}

/** Returns the condition of the given type, or undefined. */
export function findCondition(object: WithConditions, type: string): Condition | undefined {
  const conditions = object.status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as readonly Condition[]).find((condition) => condition.type === type);
}

/** Whether the condition of the given type is True. */
export function isConditionTrue(object: WithConditions, type: string): boolean {
  return findCondition(object, type)?.status === 'True';
}
