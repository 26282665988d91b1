import { isQuantity } from '@kubewright/api/quantity';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { sidecarsOf } from '../../objects/sidecars.js';
import type { SimulatedPods } from '../../simulation/simulated-pods.js';
import { MetricsError } from './pod-metrics.js';
import { thousandths } from './replica-calculator.js';

/** The annotation with the metrics of an object, such as `requests-per-second=100,queue-length=2500m`. */
export const METRICS_ANNOTATION = 'kubewright.dev/metrics';

/**
 * Returns the value of a metric that an object states in its annotation, in thousandths. Returns undefined if the object does not state the
 * metric. Throws a MetricsError for an annotation that is not valid.
 */
export function statedMetric({ kind, metadata }: ApiObject, metric: string): number | undefined {
  const text = metadata.annotations?.[METRICS_ANNOTATION];
  if (text === undefined) return undefined;
  for (const part of text.split(',')) {
    const at = part.lastIndexOf('=');
    const [name, value] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    if (at < 0 || !isQuantity(value)) {
      const use = 'use names and quantities such as requests-per-second=100,queue-length=2500m';
      throw new MetricsError(`annotation ${METRICS_ANNOTATION} of ${kind} ${metadata.name} is not valid; ${use}`);
    }
    if (name === metric) return thousandths(value);
  }
  return undefined;
}

/** Returns the usage of a resource that the behavior of a Pod states, in thousandths, by the names of its containers. */
export function statedUsage(simulated: SimulatedPods, pod: ApiObject, resource: string): ReadonlyMap<string, number> {
  const usage = new Map<string, number>();
  if ((resource !== 'cpu' && resource !== 'memory') || !simulated.isStated(pod)) return usage;
  for (const isInit of [false, true]) {
    for (const container of isInit ? sidecarsOf(pod) : objectsAt(pod, 'spec', 'containers')) {
      const name = stringAt(container, 'name');
      const stated = simulated.behaviours(pod, { name, isInit }).map((behaviour) => behaviour[resource]);
      const amount = stated.findLast((each) => each !== undefined);
      if (amount !== undefined) usage.set(name, thousandths(amount));
    }
  }
  return usage;
}
