import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { OperatorPermissions } from '@kubewright/api/rbac';
import type { OperatorDescription } from '@kubewright/runtime';
import type { InspectedProject } from '../project/inspected-project.js';
import type { ProjectSettings } from '../project/project-settings.js';
import { describedWebhooks } from './webhooks/described-webhooks.js';

/** The input from which the manifests of an operator are generated. */
export interface ManifestsInput {
  /** The settings of the deployment. */
  readonly settings: ProjectSettings;
  /** The definitions of the kinds that the operator declares, without the conversion by webhooks. */
  readonly crds: readonly CustomResourceDefinition[];
  /** The settings of the manager on which the Deployment, the Services and the webhook configurations depend. */
  readonly operator: Pick<OperatorDescription, 'health' | 'leaderElection' | 'metrics' | 'gracePeriodMs' | 'webhooks'>;
  /** The permissions of the operator, from which the RBAC rules are generated. */
  readonly permissions: OperatorPermissions;
}

/** Returns the input for the manifests of an inspected project. */
export function manifestsInput(
  settings: ProjectSettings,
  { crds, operator, permissions }: Pick<InspectedProject, 'crds' | 'operator' | 'permissions'>,
): ManifestsInput {
  const { webhooks, ...others } = operator;
  const described = webhooks && { webhooks: describedWebhooks(webhooks) };
  return { settings, crds, permissions, operator: { ...others, ...described } };
}
