import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

type Spec = CustomResourceDefinition['spec'];

/** Returns the stored version of a definition; undefined if it has no versions. */
export function storedVersion({ versions }: Spec): Spec['versions'][number] | undefined {
  return versions.find(({ storage }) => storage) ?? versions[0];
}
