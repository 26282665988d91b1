import type { ProjectSettings } from '../project/project-settings.js';

/**
 * The names of the generated objects of an operator: the names that kubebuilder uses, with the name of the operator as a prefix. The files
 * contain these full names instead of a `namePrefix` in a kustomization, so that users can apply each folder separately.
 */
export interface ObjectNames {
  /** The prefix of the names of roles and role bindings, such as `web-operator-`. */
  readonly prefix: string;
  /** The name of the Deployment and of its ServiceAccount. */
  readonly manager: string;
  /** The name of the Service for metrics, and of the ServiceMonitor. */
  readonly metrics: string;
  readonly networkPolicy: string;
  /** The name of the network policy for the traffic to the webhooks. */
  readonly webhookNetworkPolicy: string;
}

/**
 * Returns the names of the generated objects. If the name of the operator has at most 50 characters, the name of the Service has at most 63
 * characters, the limit of Kubernetes.
 */
export function objectNames({ name }: Pick<ProjectSettings, 'name'>): ObjectNames {
  return {
    prefix: `${name}-`,
    manager: `${name}-controller-manager`,
    metrics: `${name}-metrics`,
    networkPolicy: `${name}-allow-metrics-traffic`,
    webhookNetworkPolicy: `${name}-allow-webhook-traffic`,
  };
}
