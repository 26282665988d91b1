import type { Manifest } from './manifest-text.js';

/** Returns the kustomization that lists resources: files in its folder, or other folders. */
export function kustomization(resources: readonly string[]): Manifest {
  return { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
}
