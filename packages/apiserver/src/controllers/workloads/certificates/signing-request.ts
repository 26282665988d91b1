import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import {
  type CertificateRequest,
  parseCertificateRequest,
} from '../../../registry/strategies/certificates/certificate-request.js';

/** The bucket of CertificateSigningRequests. */
export const bucket = 'certificates.k8s.io/certificatesigningrequests';
/** The name of the service account that approves, signs and deletes requests. */
export const certificateController = 'certificate-controller';

/** Whether nobody has approved or denied the request. */
export function isPending(request: ApiObject): boolean {
  return !hasCondition(request, 'Approved') && !hasCondition(request, 'Denied') && !isIssued(request);
}

/** Whether the request has a certificate. */
export function isIssued(request: ApiObject): boolean {
  return stringAt(request, 'status', 'certificate') !== '';
}

/** Whether the request has a condition of the type. */
export function hasCondition(request: ApiObject, type: string): boolean {
  return objectsAt(request, 'status', 'conditions').some((condition) => condition['type'] === type);
}

/** Returns the content of the request, or undefined if the content is damaged or its signature is not valid. */
export function requestOf(request: ApiObject): CertificateRequest | undefined {
  const parsed = parseCertificateRequest(stringAt(request, 'spec', 'request'));
  return parsed?.signatureError === undefined ? parsed : undefined;
}
