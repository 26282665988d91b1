import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { OperatorPermissions } from '@kubewright/api/rbac';
import type { OperatorDescription } from '@kubewright/runtime';
import type { ProjectSettings } from '../project/project-settings.js';

/** The input from which the manifests of an operator are generated. */
export interface ManifestsInput {
  /** The settings of the deployment. */
  readonly settings: ProjectSettings;
  /** The definitions of the kinds that the operator declares. */
  readonly crds: readonly CustomResourceDefinition[];
  /** The settings of the manager on which the Deployment and the Services depend. */
  readonly operator: Pick<OperatorDescription, 'health' | 'leaderElection' | 'metrics' | 'gracePeriodMs'>;
  /** The permissions of the operator, from which the RBAC rules are generated. */
  readonly permissions: OperatorPermissions;
}
