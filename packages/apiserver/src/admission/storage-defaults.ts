import type { AdmissionCheck } from '../registry/admission/admission-check.js';
import {
  isDefaultClass,
  oldStorageClass,
  storageClassOf,
} from '../registry/strategies/rules/storage-class-annotations.js';
import type { JsonObject } from '../registry/objects/api-object.js';
import { madeAt, objectAt, stringAt } from '../registry/objects/json-object.js';
import { amountsOf } from '../registry/quota/resource-amounts.js';
import { forbidden } from '../registry/requests/status-errors.js';

/**
 * Sets the default StorageClass of a new PersistentVolumeClaim that does not specify a class. If several StorageClasses are marked as
 * default, uses the newest. Among StorageClasses with the same creation time, uses the first by name.
 */
export const defaultStorageClass: AdmissionCheck = ({ operation, definition, object, registry }) => {
  if (operation !== 'CREATE' || definition.storageBucket !== '/persistentvolumeclaims' || object === undefined) return;
  const spec = madeAt(object, 'spec');
  if (spec['storageClassName'] !== undefined || object.metadata.annotations?.[oldStorageClass] !== undefined) return;
  const [found] = registry
    .builtIn('storage.k8s.io/v1/storageclasses')
    .list()
    .items.filter(isDefaultClass)
    .toSorted(
      (left, right) =>
        stringAt(right, 'metadata', 'creationTimestamp').localeCompare(
          stringAt(left, 'metadata', 'creationTimestamp'),
        ) || left.metadata.name.localeCompare(right.metadata.name),
    );
  if (found !== undefined) spec['storageClassName'] = found.metadata.name;
};

/**
 * Throws 403 if an update increases the requested storage of a claim, and the claim is not bound, its StorageClass does not allow volume
 * expansion, or the update changes the StorageClass.
 */
export const claimResize: AdmissionCheck = ({ operation, definition, object, old, context, key, registry }) => {
  if (operation !== 'UPDATE' || definition.storageBucket !== '/persistentvolumeclaims') return;
  if (context.subresource !== undefined || object === undefined || old === undefined) return;
  if (requestedNanos(object) <= requestedNanos(old)) return;
  if (stringAt(old, 'status', 'phase') !== 'Bound') {
    throw forbidden(definition, key.name, { why: 'Only bound persistent volume claims can be expanded' });
  }
  const name = storageClassOf(object);
  const found = registry.builtIn('storage.k8s.io/v1/storageclasses').find({ name });
  if (name === storageClassOf(old) && found?.['allowVolumeExpansion'] === true) return;
  const why =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
  throw forbidden(definition, key.name, { why });
};

/** Returns the requested storage of a claim in billionths of a byte. */
function requestedNanos(claim: JsonObject): bigint {
  return amountsOf(objectAt(claim, 'spec', 'resources', 'requests')).get('storage')?.nanos ?? 0n;
}

/**
 * Adds the protection finalizer of the kind, if any, to new objects. When an object is being deleted and is no longer in use, a controller
 * removes the finalizer.
 */
export const storageProtection: AdmissionCheck = ({ operation, definition, object, context }) => {
  const finalizer = definition.strategy.protectionFinalizer;
  if (operation !== 'CREATE' || finalizer === undefined || object === undefined) return;
  if (context.subresource !== undefined) return;
  const finalizers = object.metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
};
