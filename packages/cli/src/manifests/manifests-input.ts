import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { OperatorPermissions } from '@kubewright/api/rbac';
import type { OperatorDescription } from '@kubewright/runtime';
import type { ProjectSettings } from '../project/project-settings.js';

/** The input from which the manifests of an operator are generated. */
export interface ManifestsInput {
  /** The settings of the deployment. */
  readonly settings: ProjectSettings;
  /** The definitions of the operator's kinds. */
  readonly crds: readonly CustomResourceDefinition[];
  /** The properties of the operator that determine its Pod. */
  readonly operator: Pick<OperatorDescription, 'health' | 'leaderElection' | 'metrics' | 'gracePeriodMs'>;
  /** The permissions of the operator. */
  readonly permissions: OperatorPermissions;
}
