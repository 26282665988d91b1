import type { ManifestsInput } from './manifests-input.js';

/** The labels of an object by key. */
export type Labels = Readonly<Record<string, string>>;

/**
 * Returns the labels that select the Pods of the operator. Do not change these labels, because the selector of a Deployment is immutable.
 */
export function podSelector({ settings }: Pick<ManifestsInput, 'settings'>): Labels {
  return { 'app.kubernetes.io/name': settings.name, 'control-plane': 'controller-manager' };
}

/**
 * Returns the labels of all generated objects except CustomResourceDefinitions and samples. Like kubebuilder, omits the recommended label
 * `app.kubernetes.io/version`, because all files would change for each release.
 */
export function operatorLabels({ settings }: Pick<ManifestsInput, 'settings'>): Labels {
  return {
    'app.kubernetes.io/managed-by': 'kubewright',
    'app.kubernetes.io/name': settings.name,
  };
}
