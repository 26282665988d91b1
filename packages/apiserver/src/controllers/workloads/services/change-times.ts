import type { ApiObject } from '../../../registry/objects/api-object.js';
import { stringAt } from '../../../registry/objects/json-object.js';
import { conditionOf } from '../../objects/pod-state.js';

interface Known {
  service: string;
  readonly pods: Map<string, string>;
}

/** The annotation of EndpointSlices and Endpoints with the time of the Service or Pod change that caused the last write. */
export const changeTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Returns the annotations with the time of a change, or without a time if nothing has changed. */
export function withChangeTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Readonly<Record<string, string>> {
  const { [changeTimeAnnotation]: _, ...kept } = annotations ?? {};
  return time === undefined ? kept : { ...kept, [changeTimeAnnotation]: time };
}

/** Stores the last observed state of Services and their Pods, to determine the value of `changeTimeAnnotation`. */
export class ChangeTimes {
  readonly #known = new Map<string, Known>();

  /**
   * Returns the earliest of these times since the last call: the creation of the Service, and the changes of the readiness of its Pods.
   * If neither has happened, returns undefined. The first call for a Service returns its creation time. A deleted Pod does not count as a
   * change.
   */
  since(key: string, service: ApiObject, pods: readonly ApiObject[]): string | undefined {
    const known = this.#known.get(key) ?? { service: '', pods: new Map<string, string>() };
    const changes: string[] = [];
    const made = service.metadata.creationTimestamp;
    if (made > known.service) changes.push(made);
    const next = new Map<string, string>();
    for (const pod of pods) {
      const time = stringAt(conditionOf(pod, 'Ready'), 'lastTransitionTime');
      if (time === '') continue;
      next.set(pod.metadata.name, time);
      if (known.service !== '' && time > (known.pods.get(pod.metadata.name) ?? '')) changes.push(time);
    }
    this.#known.set(key, { service: made, pods: next });
    return changes.toSorted()[0];
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}
