import type { AdmissionCheck } from '../registry/admission/admission-check.js';
import { isDefaultClass, oldStorageClass } from '../registry/strategies/rules/storage-class-annotations.js';
import { madeAt, stringAt } from '../registry/objects/json-object.js';

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
