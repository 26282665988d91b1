import type { KubeObject } from '@kubewright/api';

/** The kinds of request bodies by the name of the subresource, for built-in subresources whose body is not the parent object. */
export const SUBRESOURCE_BODIES: Readonly<Record<string, Pick<KubeObject, 'apiVersion' | 'kind'>>> = {
  scale: { apiVersion: 'autoscaling/v1', kind: 'Scale' },
  eviction: { apiVersion: 'policy/v1', kind: 'Eviction' },
  binding: { apiVersion: 'v1', kind: 'Binding' },
  token: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' },
};
