import type { KubeObject } from '@kubewright/api';

/** The subresources of Kubernetes whose body is an object of another kind. */
export const SUBRESOURCE_BODIES: Readonly<Record<string, Pick<KubeObject, 'apiVersion' | 'kind'>>> = {
  scale: { apiVersion: 'autoscaling/v1', kind: 'Scale' },
  eviction: { apiVersion: 'policy/v1', kind: 'Eviction' },
  binding: { apiVersion: 'v1', kind: 'Binding' },
  token: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' },
};
