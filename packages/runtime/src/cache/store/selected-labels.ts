import type { KubeObject } from '@kubewright/api';

/** The property with the labels that the object had on the server. Set only if a transform changed the labels. */
const labels: unique symbol = Symbol('kubewright.labels');

interface WithLabels extends KubeObject {
  readonly [labels]?: KubeObject['metadata']['labels'];
}

/**
 * Records the labels that an object has on the server, before a transform changes them. Call this function before the object is frozen. The
 * property is not enumerable.
 */
export function noteSelectedLabels(object: KubeObject, given: KubeObject['metadata']['labels']): void {
  Object.defineProperty(object, labels, { value: given ?? {}, configurable: true });
}

/**
 * Returns the object with the labels that it has on the server, which the server uses for selection. Returns the object itself if no
 * transform changed the labels.
 */
export function selectedLabels(object: KubeObject): KubeObject {
  const noted = (object as WithLabels)[labels];
  return noted === undefined ? object : { ...object, metadata: { ...object.metadata, labels: noted } };
}
