import type { OperatorPermissions } from '@kubewright/api/rbac';
import { certificatePermissions, webhookNames } from '@kubewright/runtime/permissions';
import type { ManifestsInput } from '../manifests-input.js';
import { certificateSecretName } from './certificate-secret.js';
import { convertedDefinitions } from './webhook-manifests.js';

/**
 * Returns the permissions of the operator, including the permissions with which the manager maintains the certificates of its webhooks. The
 * permissions for certificates depend on the name of the project, which the inspection of the code does not know.
 */
export function withCertificatePermissions(input: ManifestsInput): OperatorPermissions {
  const { settings, operator, permissions } = input;
  const { webhooks } = operator;
  const secret = webhooks && certificateSecretName(settings, webhooks);
  if (secret === undefined || webhooks?.certificates.source !== 'manager') return permissions;
  const { mutatingConfiguration, validatingConfiguration } = webhookNames(settings.name);
  const has = (type: 'mutating' | 'validating'): boolean => webhooks.admission.some((each) => each.type === type);
  const added = certificatePermissions({
    secret,
    ...(has('mutating') && { mutatingConfiguration }),
    ...(has('validating') && { validatingConfiguration }),
    customResourceDefinitions: convertedDefinitions(input).map(({ metadata }) => metadata.name),
  });
  return {
    cluster: [...permissions.cluster, ...added.cluster],
    namespaced: [...permissions.namespaced, ...added.namespaced],
    own: [...permissions.own, ...added.own],
  };
}
