import type { ProjectSettings } from '../project/project-settings.js';

/**
 * The names of the objects of an operator: those that kubebuilder gives, with the name of the operator in front. They are written out in
 * every file: what is generated is what runs, and each folder can be applied by itself.
 */
export interface ObjectNames {
  /** What the names of roles begin with. */
  readonly prefix: string;
  /** Of the Deployment and of its ServiceAccount. */
  readonly manager: string;
  /** Of the Service of the metrics, and of what collects them. */
  readonly metrics: string;
  readonly networkPolicy: string;
}

/** The names of the objects of an operator. The name of its Service has at most 63 characters if its own has at most 50. */
export function objectNames({ name }: Pick<ProjectSettings, 'name'>): ObjectNames {
  return {
    prefix: `${name}-`,
    manager: `${name}-controller-manager`,
    metrics: `${name}-metrics`,
    networkPolicy: `${name}-allow-metrics-traffic`,
  };
}
