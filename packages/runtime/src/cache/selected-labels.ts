import type { KubeObject } from '@kubewright/api';

/** Where an object keeps the labels by which the server selected it, if a transform changed them. */
const labels: unique symbol = Symbol('kubewright.labels');

interface WithLabels extends KubeObject {
  readonly [labels]?: KubeObject['metadata']['labels'];
}

/** Notes the labels that the server selects an object by. Call it before the object is frozen; the note is not enumerable. */
export function noteSelectedLabels(object: KubeObject, given: KubeObject['metadata']['labels']): void {
  Object.defineProperty(object, labels, { value: given ?? {}, configurable: true });
}

/** Returns an object that carries the labels by which the server selects: the object itself, unless a transform changed them. */
export function selectedLabels(object: KubeObject): KubeObject {
  const noted = (object as WithLabels)[labels];
  return noted === undefined ? object : { ...object, metadata: { ...object.metadata, labels: noted } };
}
