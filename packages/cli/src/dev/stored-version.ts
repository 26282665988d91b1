import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

type Spec = CustomResourceDefinition['spec'];

/** Returns the storage version of a definition, or the first version if no version has `storage: true`. */
export function storedVersion({ versions }: Spec): Spec['versions'][number] | undefined {
  return versions.find(({ storage }) => storage) ?? versions[0];
}
