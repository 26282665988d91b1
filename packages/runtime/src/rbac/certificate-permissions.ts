import type { OperatorPermissions, Permission } from '@kubewright/api/rbac';

/** The objects that managed certificates read and write, by name. */
export interface CertificateObjects {
  /** The Secret with the certificates, in the namespace of the operator. */
  readonly secret: string;
  /** The MutatingWebhookConfiguration. Undefined if the operator has no mutating webhooks. */
  readonly mutatingConfiguration?: string | undefined;
  /** The ValidatingWebhookConfiguration. Undefined if the operator has no validating webhooks. */
  readonly validatingConfiguration?: string | undefined;
  /** The CustomResourceDefinitions of the kinds that the operator converts. @default none */
  readonly customResourceDefinitions?: readonly string[];
}

const INJECTED = ['get', 'patch', 'watch'];
const ADMISSION = 'admissionregistration.k8s.io';

/**
 * Returns the permissions with which a manager creates certificates, stores them in a Secret, and injects the CA bundle. All permissions
 * are limited to the given names, except for the creation of Secrets in the namespace of the operator, which RBAC cannot limit by name.
 *
 * @example
 * const { own, cluster } = certificatePermissions({ ...webhookNames('my-operator'), customResourceDefinitions: ['racks.example.com'] });
 * const role = rulesOf(own);
 */
export function certificatePermissions(objects: CertificateObjects): OperatorPermissions {
  const { secret, mutatingConfiguration, validatingConfiguration, customResourceDefinitions = [] } = objects;
  const secrets = { group: '', resource: 'secrets' };
  return {
    cluster: [
      ...injected(ADMISSION, 'mutatingwebhookconfigurations', mutatingConfiguration),
      ...injected(ADMISSION, 'validatingwebhookconfigurations', validatingConfiguration),
      ...customResourceDefinitions.flatMap((name) =>
        injected('apiextensions.k8s.io', 'customresourcedefinitions', name),
      ),
    ],
    namespaced: [],
    own: [
      { ...secrets, verb: 'create' },
      ...['get', 'update', 'watch'].map((verb) => ({ ...secrets, verb, name: secret })),
    ],
  };
}

function injected(group: string, resource: string, name: string | undefined): readonly Permission[] {
  return name === undefined ? [] : INJECTED.map((verb) => ({ group, resource, verb, name }));
}
