import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import type { OperatorPermissions } from '@kubewright/api/rbac';
import type { AdmissionSchemas } from '@kubewright/api/cel';
import type { DescribedPolicy, OperatorDescription } from '@kubewright/runtime';
import type { InspectedPolicy, InspectedProject } from '../project/inspected-project.js';
import type { ProjectSettings } from '../project/project-settings.js';
import { restoredKind } from './restored-kind.js';
import { describedWebhooks } from './webhooks/described-webhooks.js';

/** A policy, and the schemas with which its expressions are checked. */
export interface CheckedPolicy extends DescribedPolicy {
  /** The schemas with which the expressions are checked. @default the schemas of the classes in the policy */
  readonly schemas?: AdmissionSchemas;
}

/** The input from which the manifests of an operator are generated. */
export interface ManifestsInput {
  /** The settings of the deployment. */
  readonly settings: ProjectSettings;
  /** The definitions of the kinds that the operator declares, without the conversion by webhooks. */
  readonly crds: readonly CustomResourceDefinition[];
  /** The manager settings that affect the Deployment, the Services and the webhook configurations. */
  readonly operator: Pick<
    OperatorDescription,
    'health' | 'leaderElection' | 'metrics' | 'gracePeriodMs' | 'webhooks'
  > & { readonly policies?: readonly CheckedPolicy[] };
  /** The permissions of the operator, from which the RBAC rules are generated. */
  readonly permissions: OperatorPermissions;
}

/** Returns the input for the manifests of an inspected project. */
export function manifestsInput(
  settings: ProjectSettings,
  { crds, operator, permissions }: Pick<InspectedProject, 'crds' | 'operator' | 'permissions'>,
): ManifestsInput {
  const { webhooks, policies, ...others } = operator;
  const described = {
    ...(webhooks !== undefined && { webhooks: describedWebhooks(webhooks) }),
    ...(policies !== undefined && { policies: policies.map(checkedPolicy) }),
  };
  return { settings, crds, permissions, operator: { ...others, ...described } };
}

/** Restores the classes of the kinds in a policy of an inspected project. */
function checkedPolicy({ kind, params, ...policy }: InspectedPolicy): CheckedPolicy {
  return { ...policy, kind: restoredKind(kind), ...(params !== undefined && { params: restoredKind(params) }) };
}
