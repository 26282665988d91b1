import type { AdmissionCheck } from '../registry/admission/admission-check.js';
import { madeAt, stringAt } from '../registry/objects/json-object.js';

const defaultClass = 'storageclass.kubernetes.io/is-default-class';
const oldDefaultClass = 'storageclass.beta.kubernetes.io/is-default-class';
const oldClass = 'volume.beta.kubernetes.io/storage-class';

const protection: Readonly<Record<string, string>> = {
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
};

/**
 * Sets the default storage class of a new claim without a class. If several classes are marked as default, uses the newest, then the first
 * by name.
 */
export const defaultStorageClass: AdmissionCheck = ({ operation, definition, object, registry }) => {
  if (operation !== 'CREATE' || definition.storageBucket !== '/persistentvolumeclaims' || object === undefined) return;
  const spec = madeAt(object, 'spec');
  if (spec['storageClassName'] !== undefined || object.metadata.annotations?.[oldClass] !== undefined) return;
  const [found] = registry
    .builtIn('storage.k8s.io/v1/storageclasses')
    .list()
    .items.filter(({ metadata: { annotations } }) =>
      [defaultClass, oldDefaultClass].some((name) => annotations?.[name] === 'true'),
    )
    .toSorted(
      (left, right) =>
        stringAt(right, 'metadata', 'creationTimestamp').localeCompare(
          stringAt(left, 'metadata', 'creationTimestamp'),
        ) || left.metadata.name.localeCompare(right.metadata.name),
    );
  if (found !== undefined) spec['storageClassName'] = found.metadata.name;
};

/**
 * Adds the protection finalizer to new PersistentVolumes, PersistentVolumeClaims and VolumeAttributesClasses. When a claim or a volume is
 * being deleted and is no longer in use, a controller removes the finalizer.
 */
export const storageProtection: AdmissionCheck = ({ operation, definition, object, context }) => {
  const finalizer = protection[definition.storageBucket];
  if (operation !== 'CREATE' || finalizer === undefined || object === undefined) return;
  if (context.subresource !== undefined) return;
  const finalizers = object.metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
};
