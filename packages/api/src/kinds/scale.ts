import { recordMetadata } from '../metadata/reflection.js';
import type { KindRef } from '../objects/kube-object.js';
import type { PathCheck } from './path-check.js';

/** Options of `@Scale`. */
export interface ScaleOptions<S extends string, R extends string> {
  readonly specReplicas: S;
  readonly statusReplicas: R;
  /** The path of a string field of the status that contains a serialized label selector. A HorizontalPodAutoscaler requires this path. */
  readonly labelSelector?: string;
}

/** Enables the scale subresource. */
export function Scale<const S extends string, const R extends string>(
  options: ScaleOptions<S, R>,
): <C extends KindRef>(target: C & PathCheck<InstanceType<C>, S> & PathCheck<InstanceType<C>, R>) => void {
  return (target) => recordMetadata(target, (metadata) => ({ ...metadata, scale: options }));
}
