import type { KubeObject } from '@kubewright/api';

/** The property with the labels by which the server selected the object, if a transform changed the labels. */
const labels: unique symbol = Symbol('kubewright.labels');

interface WithLabels extends KubeObject {
  readonly [labels]?: KubeObject['metadata']['labels'];
}

/**
 * Records the labels by which the server selects an object. Call the function before the object is frozen. The property is not enumerable.
 */
export function noteSelectedLabels(object: KubeObject, given: KubeObject['metadata']['labels']): void {
  Object.defineProperty(object, labels, { value: given ?? {}, configurable: true });
}

/**
 * Returns an object with the labels by which the server selects the object. Returns the object itself unless a transform changed the
 * labels.
 */
export function selectedLabels(object: KubeObject): KubeObject {
  const noted = (object as WithLabels)[labels];
  return noted === undefined ? object : { ...object, metadata: { ...object.metadata, labels: noted } };
}
