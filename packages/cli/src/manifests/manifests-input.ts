import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { OperatorRights } from '@kubewright/api/rbac';
import type { OperatorDescription } from '@kubewright/runtime';
import type { ProjectSettings } from '../project/project-settings.js';

/** What the manifests of an operator are made of. */
export interface ManifestsInput {
  /** How it is deployed. */
  readonly settings: ProjectSettings;
  /** The kinds that it brings along. */
  readonly crds: readonly CustomResourceDefinition[];
  /** What it is in a Pod. */
  readonly operator: Pick<OperatorDescription, 'health' | 'leaderElection' | 'metrics' | 'gracePeriodMs'>;
  /** What it may do. */
  readonly rights: OperatorRights;
}
