import type { ProjectSettings } from '../project/project-settings.js';

/**
 * The names that kubebuilder gives, with the name of the operator in front. They are written out in every file: what is generated is
 * what runs, and each folder can be applied by itself.
 */
export interface ObjectNames {
  /** Of the Deployment and of its ServiceAccount. */
  readonly manager: string;
  readonly managerRole: string;
  readonly managerBinding: string;
  readonly electionRole: string;
  readonly electionBinding: string;
  readonly metricsAuthRole: string;
  readonly metricsAuthBinding: string;
  readonly metricsReader: string;
  /** Of the Service; at most 63 characters for a name of 50. */
  readonly metrics: string;
  readonly metricsMonitor: string;
  readonly networkPolicy: string;
}

/** The names of the objects of an operator. */
export function objectNames({ name }: Pick<ProjectSettings, 'name'>): ObjectNames {
  return {
    manager: `${name}-controller-manager`,
    managerRole: `${name}-manager-role`,
    managerBinding: `${name}-manager-rolebinding`,
    electionRole: `${name}-leader-election-role`,
    electionBinding: `${name}-leader-election-rolebinding`,
    metricsAuthRole: `${name}-metrics-auth-role`,
    metricsAuthBinding: `${name}-metrics-auth-rolebinding`,
    metricsReader: `${name}-metrics-reader`,
    metrics: `${name}-metrics`,
    metricsMonitor: `${name}-controller-manager-metrics-monitor`,
    networkPolicy: `${name}-allow-metrics-traffic`,
  };
}
