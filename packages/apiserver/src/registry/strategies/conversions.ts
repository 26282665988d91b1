import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { autoscalerConversion } from './autoscaling/autoscaler-conversion.js';
import { eventConversion } from './core/event-conversion.js';

type Conversion = Pick<ResourceDefinition, 'toStored' | 'fromStored'>;

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
