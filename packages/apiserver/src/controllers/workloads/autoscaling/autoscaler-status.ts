import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt } from '../../../registry/objects/json-object.js';
import type { NewCondition } from '../../objects/condition-list.js';

/** The new status of an autoscaler. Its conditions keep their order and, while the status is the same, their transition times. */
export class AutoscalerStatus {
  readonly #before: JsonDraft;
  readonly #now: string;
  readonly #conditions: JsonDraft[];
  #fields: JsonDraft | undefined;

  /** @param now the timestamp of changed conditions */
  constructor(autoscaler: ApiObject, now: string) {
    this.#before = objectAt(autoscaler, 'status');
    this.#now = now;
    this.#conditions = objectsAt(autoscaler, 'status', 'conditions').map((condition) => ({ ...condition }));
  }

  /** Adds a condition, or changes the condition of the same type. */
  set(condition: NewCondition): void {
    const known = this.#conditions.find(({ type }) => type === condition.type);
    const lastTransitionTime = known?.['status'] === condition.status ? known['lastTransitionTime'] : this.#now;
    if (known === undefined) this.#conditions.push({ ...condition, lastTransitionTime });
    else Object.assign(known, condition, { lastTransitionTime });
  }

  /** Reports the replicas and the metrics. Without this call, the replicas and the metrics do not change. */
  report(found: {
    readonly current: number;
    /** @default the desired replicas do not change */
    readonly desired?: number;
    readonly metrics: readonly JsonDraft[] | null;
    readonly rescaled?: boolean;
  }): void {
    const { current, desired = this.#before['desiredReplicas'] ?? 0, metrics, rescaled = false } = found;
    const lastScaleTime = rescaled ? this.#now : this.#before['lastScaleTime'];
    this.#fields = {
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      ...(current !== 0 && { currentReplicas: current }),
      desiredReplicas: desired,
      currentMetrics: metrics,
    };
  }

  /** Returns the status to write. */
  get value(): JsonDraft {
    return { ...(this.#fields ?? this.#before), conditions: this.#conditions };
  }
}
