import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { autoscalerConversion } from './autoscaling/autoscaler-conversion.js';
import { eventConversion } from './core/event-conversion.js';

/** The conversion of a version, and the bucket of the stored objects if this bucket is not the bucket of the resource. */
type Conversion = Pick<ResourceDefinition, 'toStored' | 'fromStored'> &
  Partial<Pick<ResourceDefinition, 'storageBucket'>>;

/** The conversions between a version and the stored version, by apiVersion and kind. */
const conversions: Readonly<Record<string, Conversion>> = {
  'autoscaling/v1 HorizontalPodAutoscaler': autoscalerConversion,
  'events.k8s.io/v1 Event': eventConversion,
};
const unchanged: Conversion = { toStored: (object) => object, fromStored: (stored) => stored };

/** Returns the conversion between a version of a built-in kind and its stored version. */
export function conversionOf(apiVersion: string, kind: string): Conversion {
  return conversions[`${apiVersion} ${kind}`] ?? unchanged;
}
