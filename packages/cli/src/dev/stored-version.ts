import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

type Spec = CustomResourceDefinition['spec'];

/** The version in which the objects of a kind are kept; undefined where a definition has no versions. */
export function storedVersion({ versions }: Spec): Spec['versions'][number] | undefined {
  return versions.find(({ storage }) => storage) ?? versions[0];
}
