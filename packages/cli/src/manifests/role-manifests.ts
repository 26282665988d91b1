import type { KubeObject } from '@kubewright/api';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ServiceAccount } from '@kubewright/api/core/v1';
import { type GrantedKind, kindRolesOf, metricsReaderRole, rolesOf } from '@kubewright/api/rbac';
import type { ManifestsInput } from './manifests-input.js';
import { objectNames } from './object-names.js';
import { operatorLabels } from './operator-labels.js';
import { withCertificatePermissions } from './webhooks/webhook-permissions.js';

/** Returns the ServiceAccount, the roles, and the role bindings of the operator, and the roles for users of the kinds, by file name. */
export function roleManifests(input: ManifestsInput): Readonly<Record<string, readonly KubeObject[]>> {
  const { settings, operator, crds } = input;
  const { namespace } = settings;
  const { manager, prefix } = objectNames(settings);
  const labels = operatorLabels(input);
  const roles = rolesOf(withCertificatePermissions(input), { prefix, labels, namespace, serviceAccount: manager });
  const isProtected = operator.metrics !== false && operator.metrics.protect;
  return {
    'service_account.yaml': [new ServiceAccount({ metadata: { name: manager, namespace, labels } })],
    'role.yaml': roles.filter(({ kind }) => !kind.endsWith('Binding')),
    'role_binding.yaml': roles.filter(({ kind }) => kind.endsWith('Binding')),
    'kind_roles.yaml': kindRolesOf(crds.map(grantedKind), { prefix, labels }),
    'metrics_reader_role.yaml': isProtected ? [metricsReaderRole({ prefix, labels })] : [],
  };
}

function grantedKind({ spec }: CustomResourceDefinition): GrantedKind {
  const { kind, plural, singular = kind.toLowerCase() } = spec.names;
  const has = (part: 'scale' | 'status'): boolean =>
    spec.versions.some(({ subresources }) => subresources?.[part] !== undefined);
  const subresources = (['scale', 'status'] as const).filter(has);
  return { group: spec.group, plural, singular, namespaced: spec.scope === 'Namespaced', subresources };
}
