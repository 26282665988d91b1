import { compareQuantities, isQuantity } from '@kubewright/api/quantity';
import { type JsonDraft, objectAt, objectsAt } from '../../json-object.js';
import { allContainers } from './pod-spec-defaults.js';

/** How well the Pod is guarded against eviction, from its requests and limits of cpu and memory. */
export function podQosClass(spec: JsonDraft): string {
  const containers = allContainers(spec).map((container) => objectAt(container, 'resources'));
  const amounts = containers.flatMap((resources) => [
    ...Object.keys(objectAt(resources, 'limits')),
    ...Object.keys(objectAt(resources, 'requests')),
  ]);
  if (!amounts.some((name) => name === 'cpu' || name === 'memory')) return 'BestEffort';
  const guaranteed = containers.every((resources) =>
    ['cpu', 'memory'].every((name) => {
      const limit = objectAt(resources, 'limits')[name];
      const request = objectAt(resources, 'requests')[name];
      // Amounts that cannot be read are reported by the validation, which comes later.
      return (
        isQuantity(String(limit)) &&
        isQuantity(String(request)) &&
        compareQuantities(String(limit), String(request)) === 0
      );
    }),
  );
  return guaranteed && objectsAt(spec, 'containers').length > 0 ? 'Guaranteed' : 'Burstable';
}
