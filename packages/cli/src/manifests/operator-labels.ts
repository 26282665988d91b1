import type { ManifestsInput } from './manifests-input.js';

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** By which the Pods of the operator are found; they never change, since a Deployment cannot change its selector. */
export function podSelector({ settings }: Pick<ManifestsInput, 'settings'>): Labels {
  return { 'app.kubernetes.io/name': settings.name, 'control-plane': 'controller-manager' };
}

/**
 * The recommended labels, which every object of the operator has but its CustomResourceDefinitions and samples. That of the version is not
 * among them, as in projects of kubebuilder: what is released is the image, and each release would write all files anew.
 */
export function operatorLabels({ settings }: Pick<ManifestsInput, 'settings'>): Labels {
  return {
    'app.kubernetes.io/managed-by': 'kubewright',
    'app.kubernetes.io/name': settings.name,
  };
}
