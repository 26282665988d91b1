import type { ManifestsInput } from './manifests-input.js';

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** Returns the labels that select the Pods of the operator. They never change, because the selector of a Deployment is immutable. */
export function podSelector({ settings }: Pick<ManifestsInput, 'settings'>): Labels {
  return { 'app.kubernetes.io/name': settings.name, 'control-plane': 'controller-manager' };
}

/**
 * Returns the recommended labels of all objects of the operator except its CustomResourceDefinitions and samples. There is no version
 * label, as in projects of kubebuilder. A release publishes only the image, and a version label would change all files for each release.
 */
export function operatorLabels({ settings }: Pick<ManifestsInput, 'settings'>): Labels {
  return {
    'app.kubernetes.io/managed-by': 'kubewright',
    'app.kubernetes.io/name': settings.name,
  };
}
