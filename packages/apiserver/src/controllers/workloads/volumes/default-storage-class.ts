import { isAlreadyExists } from '@kubewright/api/errors';
import type { Registry } from '../../../registry/registry.js';
import { defaultClassAnnotation } from '../../../registry/strategies/rules/storage-class-annotations.js';
import { controllerContext } from '../../work/controller-context.js';

/** Creates the default StorageClass `standard` if it does not exist, so that claims without a class get volumes. */
export function registerStorageClass(registry: Registry): void {
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', annotations: { [defaultClassAnnotation]: 'true' } },
    provisioner: 'kubewright.dev/embedded',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  };
  try {
    registry.builtIn('storage.k8s.io/v1/storageclasses').create(storageClass, controllerContext('bootstrap', 'create'));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
