import type { JsonObject } from '../../registry/objects/api-object.js';
import { isObject, objectAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';

/** The Pod, or the Pod template of a workload, that the checks of a level evaluate. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
  /** The init containers, the containers, and the ephemeral containers. */
  readonly containers: readonly JsonObject[];
  /** The minor version of the level, such as 35 for `v1.35`. */
  readonly minor: number;
}

/** A violation of a check. Messages about one object also contain the detail. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Returns a Pod or a Pod template for the checks. */
export function checkedPod(pod: JsonObject, minor: number): CheckedPod {
  const spec = objectAt(pod, 'spec');
  return {
    annotations: objectAt(pod, 'metadata', 'annotations') as Readonly<Record<string, string>>,
    spec,
    containers: ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => objectsAt(spec, field)),
    minor,
  };
}

/** Returns the securityContext of a Pod or a container. */
export function securityContext(specOrContainer: JsonObject): JsonObject {
  return objectAt(specOrContainer, 'securityContext');
}

/** Whether a field contains an object, which may be empty. */
export function has(object: JsonObject, field: string): boolean {
  return isObject(object[field]);
}

/** Whether the processes of a Pod run as users of a separate user namespace. */
export function hasUserNamespace({ spec }: CheckedPod): boolean {
  return spec['hostUsers'] === false;
}

export function isWindows({ spec }: CheckedPod): boolean {
  return stringAt(spec, 'os', 'name') === 'windows';
}

/** Returns the names of the containers for which the condition is true. */
export function containersThat(
  { containers }: CheckedPod,
  isBad: (container: JsonObject) => boolean,
): readonly string[] {
  return containers.filter(isBad).map((container) => stringAt(container, 'name'));
}

/**
 * Returns a text that names the Pod and the containers whose securityContext has a forbidden value. Returns '' if no securityContext has
 * such a value.
 */
export function settersThat(pod: CheckedPod, isBad: (context: JsonObject) => boolean): string {
  const names = containersThat(pod, (container) => isBad(securityContext(container)));
  return [
    ...(isBad(securityContext(pod.spec)) ? ['pod'] : []),
    ...(names.length > 0 ? [containersText(names)] : []),
  ].join(' and ');
}

/** Returns the names of containers as in messages: `container "a"` or `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural('container', names)} ${quoted(names)}`;
}

/** Returns the noun in the singular for one item, and otherwise in the plural. */
export function plural(noun: string, items: readonly unknown[]): string {
  return items.length === 1 ? noun : `${noun}s`;
}

/** Returns the items in quotes, separated by commas. */
export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(', ');
}

/** Returns the distinct texts in alphabetical order. */
export function sortedSet(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
