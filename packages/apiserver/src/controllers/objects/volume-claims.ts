import type { ApiObject } from '../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../registry/objects/json-object.js';
import type { Registry } from '../../registry/registry.js';

/** Returns the names of the PersistentVolumeClaims that a Pod uses, including the claims of its ephemeral volumes. */
export function claimNames(pod: ApiObject): readonly string[] {
  return objectsAt(pod, 'spec', 'volumes').flatMap((volume) => {
    if (volume['ephemeral'] !== undefined) return [`${pod.metadata.name}-${stringAt(volume, 'name')}`];
    const name = stringAt(volume, 'persistentVolumeClaim', 'claimName');
    return name === '' ? [] : [name];
  });
}

/** Whether the volume of a claim is only created when a Pod uses the claim. */
export function waitsForPod(registry: Registry, claim: ApiObject): boolean {
  const name = stringAt(claim, 'spec', 'storageClassName');
  const storageClass = registry.builtIn('storage.k8s.io/v1/storageclasses').find({ name });
  return stringAt(storageClass, 'volumeBindingMode') === 'WaitForFirstConsumer';
}
