import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';

/** An object of a kind that the API server accepts, made from the schema of one of its versions. */
export function sampleOf(crd: CustomResourceDefinition, version: string): KubeObject {
  const { group, names } = crd.spec;
  return {
    apiVersion: `${group}/${version}`,
    kind: names.kind,
    metadata: { name: `${names.kind.toLowerCase()}-sample` },
    spec: {},
  } as unknown as KubeObject;
}
