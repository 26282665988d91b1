import type { Manifest } from './manifest-text.js';

/** Creates a kustomization with the given resources: files in the same folder, or other folders with a kustomization. */
export function kustomization(resources: readonly string[]): Manifest {
  return { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
}
