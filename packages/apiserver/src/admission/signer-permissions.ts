import { deepEqual } from '@kubewright/api/patch';
import type { Authorizer } from '../authorization/authorizer.js';
import type { AdmissionRequest } from '../registry/admission/admission-check.js';
import { objectsAt, stringAt } from '../registry/objects/json-object.js';
import { forbidden } from '../registry/requests/status-errors.js';
import { mastersGroup } from '../registry/requests/user.js';
import { parseCertificateRequest } from '../registry/strategies/certificates/certificate-request.js';
import { onlyGarbageCollected } from './role-escalation.js';

const group = 'certificates.k8s.io';
const clientSigner = 'kubernetes.io/kube-apiserver-client';

/**
 * Checks a valid write of an object in the group certificates.k8s.io. Throws 403 in the following cases:
 * - The user approves or denies a CertificateSigningRequest without the permission to `approve` for its signer.
 * - The user changes the certificate or the conditions in the status without the permission to `sign` for the signer.
 * - The user writes a ClusterTrustBundle of a signer without the permission to `attest` for this signer.
 * - A new CertificateSigningRequest requests a client certificate for the group `system:masters`.
 */
export function signerPermissions(authorizer: Authorizer, request: AdmissionRequest): void {
  const { definition, key } = request;
  const required = requiredPermission(request);
  if (required !== undefined) {
    const [verb, purpose, signer] = required;
    if (mayUse(authorizer, request, { verb, signer })) return;
    throw forbidden(definition, key.name, {
      why: `user not permitted to ${verb} ${purpose} signerName ${JSON.stringify(signer)}`,
    });
  }
  if (!isForMasters(request)) return;
  throw forbidden(definition, key.name, {
    why: `use of ${clientSigner} signer with ${mastersGroup} group is not allowed`,
  });
}

/** Returns the verb and the signer of the permission that the write requires, and the text between them in the error. */
function requiredPermission({
  operation,
  definition: { plural },
  context: { subresource },
  object,
  old,
}: AdmissionRequest): readonly [verb: string, purpose: string, signer: string] | undefined {
  if (object === undefined) return undefined;
  if (plural === 'clustertrustbundles') {
    const signer = stringAt(object, 'spec', 'signerName');
    if (signer === '' || (old !== undefined && onlyGarbageCollected(object, old))) return undefined;
    return ['attest', 'for', signer];
  }
  if (plural !== 'certificatesigningrequests' || operation !== 'UPDATE') return undefined;
  // An update of a subresource does not change the signer of the request.
  const signer = stringAt(old, 'spec', 'signerName');
  if (subresource === 'approval') return ['approve', 'requests with', signer];
  return subresource === 'status' && !deepEqual(decisions(object), decisions(old))
    ? ['sign', 'requests with', signer]
    : undefined;
}

/** Returns the parts of a status that only a signer writes. */
function decisions(request: unknown): object {
  return {
    certificate: stringAt(request, 'status', 'certificate'),
    conditions: objectsAt(request, 'status', 'conditions'),
  };
}

/** Whether the user has the permission for the signer, or for all signers of its domain. */
function mayUse(
  authorizer: Authorizer,
  { context: { user } }: AdmissionRequest,
  { verb, signer }: { readonly verb: string; readonly signer: string },
): boolean {
  const [domain = ''] = signer.split('/');
  const attributes = {
    kind: 'resource',
    user,
    verb,
    group,
    resource: 'signers',
    subresource: '',
    namespace: '',
  } as const;
  return [signer, `${domain}/*`].some((name) => authorizer.allows({ ...attributes, name }));
}

function isForMasters({ operation, definition, context, object }: AdmissionRequest): boolean {
  if (operation !== 'CREATE' || context.subresource !== undefined) return false;
  if (definition.plural !== 'certificatesigningrequests') return false;
  if (stringAt(object, 'spec', 'signerName') !== clientSigner) return false;
  return parseCertificateRequest(stringAt(object, 'spec', 'request'))?.organizations.includes(mastersGroup) === true;
}
