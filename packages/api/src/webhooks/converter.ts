import type { Init } from '../objects/default.js';
import type { KubeObject } from '../objects/kube-object.js';
import { recordConverter } from './record-webhook.js';
import type { ConverterOptions } from './webhook-options.js';

/** The fields of an object except `apiVersion`, `kind` and `metadata`. Contains all required fields, including fields with a default. */
export type ConvertedContent<T> = Init<Omit<T, 'apiVersion' | 'kind' | 'metadata'>>;

/**
 * Converts objects between one version (the spoke) and the hub version. A conversion between two spokes goes through the hub.
 *
 * Both methods must be pure: a method reads only its argument, which is frozen, and returns the content of the other version. The framework
 * keeps `metadata`, and sets `apiVersion` and `kind`. `testConversion` of `@kubewright/testing` checks both methods with generated objects.
 */
export interface Converter<Spoke extends KubeObject, Hub extends KubeObject> {
  /** Converts an object to the hub version. */
  up(spoke: Spoke): ConvertedContent<Hub>;
  /** Converts an object from the hub version. */
  down(hub: Hub): ConvertedContent<Spoke>;
}

/**
 * Declares a class as the converter between two versions of a kind. Add the class to the manager. Throws INVALID_WEBHOOK if an option is
 * not valid, for example because both versions are the same.
 *
 * @example
 * @Converter({ from: v1alpha1.CronJob, hub: v1.CronJob })
 * class CronJobConverter implements Converter<v1alpha1.CronJob, v1.CronJob> {
 *   up({ spec }: v1alpha1.CronJob): ConvertedContent<v1.CronJob> {
 *     return { spec: { schedule: spec.cron } };
 *   }
 *   down({ spec }: v1.CronJob): ConvertedContent<v1alpha1.CronJob> {
 *     return { spec: { cron: spec.schedule } };
 *   }
 * }
 */
export function Converter<Spoke extends KubeObject, Hub extends KubeObject>(
  options: ConverterOptions<Spoke, Hub>,
): (target: new (...services: never[]) => Converter<Spoke, Hub>) => void {
  return (target) => recordConverter(target, options);
}
