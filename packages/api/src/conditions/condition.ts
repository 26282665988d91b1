/** A condition of the Kubernetes API conventions. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number | undefined;
}

/** A status that may hold conditions. */
export type HasConditions = { conditions?: unknown } | { readonly conditions?: readonly Condition[] | undefined };
type WithConditions = { readonly status?: HasConditions | undefined };

/** What an author says of a condition; the times and the generation are filled in by `client.patchStatus`. */
export interface ConditionInit {
  readonly type: string;
  /** true, false or 'Unknown'. */
  readonly status: boolean | 'Unknown';
  /** One word in CamelCase, for machines. */
  readonly reason: string;
  /** @default '' */
  readonly message?: string;
}

/**
 * Adds the condition to a status draft, or changes the one of its type. A new condition, and one whose status changed, has an empty
 * `lastTransitionTime` until it is sent; until then none has an `observedGeneration`, for it is that of the object that was judged.
 */
export function setCondition(status: { conditions?: Condition[] | undefined }, condition: ConditionInit): void {
  const wanted = {
    type: condition.type,
    status: condition.status === 'Unknown' ? 'Unknown' : condition.status ? 'True' : 'False',
    reason: condition.reason,
    message: condition.message ?? '',
  } as const;
  status.conditions ??= [];
  const { conditions } = status;
  const index = conditions.findIndex((each) => each.type === wanted.type);
  const known = conditions[index];
  if (known === undefined) {
    conditions.push({ ...wanted, lastTransitionTime: '' });
    return;
  }
  const { observedGeneration: _, ...old } = known;
  const lastTransitionTime = old.status === wanted.status ? old.lastTransitionTime : '';
  conditions[index] = { ...old, ...wanted, lastTransitionTime };
}

/** The condition of that type, or undefined. */
export function findCondition(object: WithConditions, type: string): Condition | undefined {
  const conditions = object.status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as readonly Condition[]).find((condition) => condition.type === type);
}

/** Whether the condition of that type is True. */
export function isConditionTrue(object: WithConditions, type: string): boolean {
  return findCondition(object, type)?.status === 'True';
}
