import type { Manifest } from './manifest-text.js';

/** The file of kustomize that lists these resources: files of its folder, or other folders. */
export function kustomization(resources: readonly string[]): Manifest {
  return { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
}
