import type { CertificateRequest } from '../../../registry/strategies/certificates/certificate-request.js';

/** The signer of client certificates for kubelets. */
export const kubeletClientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';

/** Returns the reason why a signer refuses a request, or undefined if the signer signs the request. */
type SignerRule = (request: CertificateRequest, usages: ReadonlySet<string>) => string | undefined;

const kubeletServing: SignerRule = (request, usages) => {
  if (!isForNodes(request)) return 'subject organization is not system:nodes';
  const { nameKinds } = request;
  if (!nameKinds.has('dns') && !nameKinds.has('ip')) return 'DNS or IP subjectAltName is required';
  if (nameKinds.has('email')) return 'Email subjectAltNames are not allowed';
  if (nameKinds.has('uri')) return 'URI subjectAltNames are not allowed';
  return usagesFault(usages, 'server auth') ?? commonNameFault(request);
};

/** Returns the reason why a request is not for the client certificate of a kubelet. */
export const kubeletClient: SignerRule = (request, usages) => {
  if (!isForNodes(request)) return 'subject organization is not system:nodes';
  const { nameKinds } = request;
  if (nameKinds.has('dns')) return 'DNS subjectAltNames are not allowed';
  if (nameKinds.has('email')) return 'Email subjectAltNames are not allowed';
  if (nameKinds.has('ip')) return 'IP subjectAltNames are not allowed';
  if (nameKinds.has('uri')) return 'URI subjectAltNames are not allowed';
  return commonNameFault(request) ?? usagesFault(usages, 'client auth');
};

const client: SignerRule = (_, usages) => {
  const other = [...usages].find((usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.has('client auth') ? undefined : 'missing required usage for client certificate: client auth';
};

/** The rules of the signers that the server implements, by the name of the signer. */
export const signerRules: ReadonlyMap<string, SignerRule> = new Map([
  ['kubernetes.io/kubelet-serving', kubeletServing],
  [kubeletClientSigner, kubeletClient],
  ['kubernetes.io/kube-apiserver-client', client],
]);

/** The bit of each key usage in a certificate. */
export const keyUsageBits: ReadonlyMap<string, number> = new Map([
  ['signing', 0],
  ['digital signature', 0],
  ['content commitment', 1],
  ['key encipherment', 2],
  ['data encipherment', 3],
  ['key agreement', 4],
  ['cert sign', 5],
  ['crl sign', 6],
  ['encipher only', 7],
  ['decipher only', 8],
]);

/** The object identifier of each extended key usage in a certificate. */
export const extendedUsageIds: ReadonlyMap<string, string> = new Map([
  ['any', '2.5.29.37.0'],
  ['server auth', '1.3.6.1.5.5.7.3.1'],
  ['client auth', '1.3.6.1.5.5.7.3.2'],
  ['code signing', '1.3.6.1.5.5.7.3.3'],
  ['email protection', '1.3.6.1.5.5.7.3.4'],
  ['s/mime', '1.3.6.1.5.5.7.3.4'],
  ['ipsec end system', '1.3.6.1.5.5.7.3.5'],
  ['ipsec tunnel', '1.3.6.1.5.5.7.3.6'],
  ['ipsec user', '1.3.6.1.5.5.7.3.7'],
  ['timestamping', '1.3.6.1.5.5.7.3.8'],
  ['ocsp signing', '1.3.6.1.5.5.7.3.9'],
  ['microsoft sgc', '1.3.6.1.4.1.311.10.3.3'],
  ['netscape sgc', '2.16.840.1.113730.4.1'],
]);

function isForNodes({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function commonNameFault({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** Returns an error unless the usages are exactly the usages of a kubelet. The usage `key encipherment` is optional. */
function usagesFault(usages: ReadonlySet<string>, purpose: string): string | undefined {
  const needed = [purpose, 'digital signature'];
  const most = new Set([...needed, 'key encipherment']);
  if (needed.every((usage) => usages.has(usage)) && [...usages].every((usage) => most.has(usage))) return undefined;
  return `usages did not match [${[...most].toSorted().join(' ')}]`;
}
