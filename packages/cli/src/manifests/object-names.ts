import type { ProjectSettings } from '../project/project-settings.js';

/**
 * The names of an operator's objects. They are the names of kubebuilder with the name of the operator as a prefix. Every file contains the
 * full names, so that the generated objects are the deployed objects and each folder can be applied separately.
 */
export interface ObjectNames {
  /** The prefix of the names of roles. */
  readonly prefix: string;
  /** The name of the Deployment and of its ServiceAccount. */
  readonly manager: string;
  /** The name of the Service for metrics, and of the ServiceMonitor. */
  readonly metrics: string;
  readonly networkPolicy: string;
}

/**
 * Returns the names of an operator's objects. The name of its Service has at most 63 characters if its own name has at most 50 characters.
 */
export function objectNames({ name }: Pick<ProjectSettings, 'name'>): ObjectNames {
  return {
    prefix: `${name}-`,
    manager: `${name}-controller-manager`,
    metrics: `${name}-metrics`,
    networkPolicy: `${name}-allow-metrics-traffic`,
  };
}
