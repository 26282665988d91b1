import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { retryOnConflict } from '@kubewright/runtime';
import type { KubeApi } from '../deploy/kube-api.js';

/** Returns the name of the version in which the API server stores new objects. */
export function storageVersionOf({ spec }: CustomResourceDefinition): string {
  return spec.versions.find(({ storage }) => storage)?.name ?? '';
}

/**
 * Reports whether `status.storedVersions` contains no version except the storage version, so that all objects are stored in this version.
 */
export function isMigrated(crd: CustomResourceDefinition): boolean {
  const { storedVersions = [] } = crd.status ?? {};
  return storedVersions.every((version) => version === storageVersionOf(crd));
}

/**
 * Removes all versions except the storage version from `status.storedVersions`, after all objects have been written.
 * @param before the definition as it was before the first write
 * @throws KubewrightError STORAGE_MIGRATION_FAILED if the spec has changed since then, because objects may be stored in another version
 */
export async function removeOldVersions(api: KubeApi, before: CustomResourceDefinition): Promise<void> {
  const { name, generation } = before.metadata;
  await retryOnConflict(async () => {
    const crd = await api.client.live.get(CustomResourceDefinition, { name });
    if (crd.metadata.generation !== generation) {
      const message = `the CustomResourceDefinition ${name} changed during the migration, so objects may be stored in another version; run the command again`;
      throw new KubewrightError('STORAGE_MIGRATION_FAILED', message);
    }
    if (isMigrated(crd)) return;
    const merge = { status: { storedVersions: [storageVersionOf(crd)] } };
    await api.client.subresource(crd, 'status').patch({ merge }, { optimistic: true });
  });
}
