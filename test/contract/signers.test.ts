import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { as, clusterRoleFor, decided } from './acting.js';
import { certificate, certificateRequests, forged, pem } from './certificate-requests.js';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const signer = 'a.example.com/signer';
const clientSigner = 'kubernetes.io/kube-apiserver-client';
const group = 'certificates.k8s.io';
const only = [
  'message',
  'reason',
  'code',
  'details',
  'status.certificate',
  'status.conditions.*.type',
  'metadata.labels',
];

type Grant = Readonly<Record<string, readonly string[]>>;
const grant = (verb: string, ...resourceNames: readonly string[]): Grant => ({
  apiGroups: [group],
  resources: ['signers'],
  verbs: [verb],
  ...(resourceNames.length > 0 && { resourceNames }),
});
const condition = (type: string, more: object = {}): object => ({
  type,
  status: 'True',
  reason: 'R',
  message: 'm',
  ...more,
});
const conditions = (...types: readonly string[]): object => ({
  status: { conditions: types.map((type) => condition(type)) },
});
const signed = { status: { certificate } };
const twice = Buffer.from(Buffer.from(certificate, 'base64').toString('latin1').repeat(2)).toString('base64');
const labeled = { metadata: { labels: { a: 'b' } } };

/** Creates a request for the signer. Returns its path. */
async function requested(api: ContractApi, spec: object = {}): Promise<string> {
  const name = api.name('request');
  const body = { request: certificateRequests.other, signerName: signer, usages: ['client auth'], ...spec };
  await api.post(requests, { metadata: { name }, spec: body }, { quiet: true });
  return `${requests}/${name}`;
}

/** Returns a new user who can write requests and their subresources, with further permissions for signers. */
async function writer(api: ContractApi, grants: readonly Grant[]): Promise<string> {
  const user = api.name('user');
  const own = ['', '/approval', '/status'].map((suffix) => `certificatesigningrequests${suffix}`);
  const rules = [{ apiGroups: [group], resources: own, verbs: ['*'] }, ...grants];
  await clusterRoleFor(api, { rules, subjects: [{ kind: 'User', name: user }] });
  await decided(api, { user, verb: 'patch', group, resource: 'certificatesigningrequests', subresource: 'status' });
  return user;
}

/**
 * Patches of a request by a user with the given permissions for signers: the permissions, the subresource, the patch, and a status that the
 * administrator has written before.
 */
const patches: Readonly<
  Record<string, readonly [grants: readonly Grant[], subresource: string, patch: object, before?: object]>
> = {
  'approval: rejects an approval without the permission': [[], '/approval', conditions('Approved')],
  'approval: rejects a denial without the permission': [[], '/approval', conditions('Denied')],
  'approval: accepts an approval with the permission for the signer': [
    [grant('approve', signer)],
    '/approval',
    conditions('Approved'),
  ],
  'approval: accepts a denial with the permission for the signer': [
    [grant('approve', signer)],
    '/approval',
    conditions('Denied'),
  ],
  'approval: accepts an approval with the permission for the domain': [
    [grant('approve', 'a.example.com/*')],
    '/approval',
    conditions('Approved'),
  ],
  'approval: accepts an approval with the permission for all signers': [
    [grant('approve')],
    '/approval',
    conditions('Approved'),
  ],
  'approval: rejects an approval with the permission for other signers': [
    [grant('approve', 'a.example.com/signers', 'a.example.com/', '*', 'example.com/*')],
    '/approval',
    conditions('Approved'),
  ],
  'approval: rejects an approval with the permission in another API group': [
    [{ ...grant('approve'), apiGroups: [''] }],
    '/approval',
    conditions('Approved'),
  ],
  'approval: rejects an approval with the permission to sign': [
    [grant('sign', signer)],
    '/approval',
    conditions('Approved'),
  ],
  'approval: rejects other conditions without the permission': [[], '/approval', conditions('Odd')],
  'approval: rejects a change of labels without the permission': [[], '/approval', labeled],
  'approval: rejects an empty patch without the permission': [[], '/approval', {}],
  'approval: uses the signer of the existing request': [
    [grant('approve', 'b.example.com/signer')],
    '/approval',
    { spec: { signerName: 'b.example.com/signer' }, ...conditions('Approved') },
  ],
  'approval: validates the conditions before it checks the permission': [
    [],
    '/approval',
    conditions('Approved', 'Denied'),
  ],
  'status: rejects a certificate without the permission': [[], '/status', signed],
  'status: rejects a condition without the permission': [[], '/status', conditions('Failed')],
  'status: accepts a certificate with the permission for the signer': [[grant('sign', signer)], '/status', signed],
  'status: accepts a certificate and a condition with the permission for the domain': [
    [grant('sign', 'a.example.com/*')],
    '/status',
    { status: { certificate, conditions: [condition('Odd')] } },
  ],
  'status: rejects a certificate with the permission to approve': [[grant('approve')], '/status', signed],
  'status: accepts a change of labels without the permission': [[], '/status', labeled],
  'status: accepts an unchanged status without the permission': [[], '/status', {}, conditions('Failed')],
  'status: rejects a changed condition without the permission': [
    [],
    '/status',
    { status: { conditions: [condition('Failed', { message: 'n', lastUpdateTime: null })] } },
    conditions('Failed'),
  ],
  'status: accepts an empty list of conditions without the permission': [[], '/status', { status: { conditions: [] } }],
  'status: restores a changed Approved condition before it checks the permission': [
    [],
    '/status',
    { status: { conditions: [condition('Approved', { message: 'n' })] } },
    conditions('Approved'),
  ],
  'status: validates the conditions before it checks the permission': [
    [],
    '/status',
    { status: { conditions: null } },
    conditions('Failed'),
  ],
  'status: rejects PEM blocks other than certificates': [
    [grant('sign')],
    '/status',
    { status: { certificate: pem('PUBLIC KEY', 'AAAA') } },
  ],
  'status: rejects a PEM block with headers': [
    [grant('sign')],
    '/status',
    { status: { certificate: pem('CERTIFICATE', 'a: b\n\nAAAA') } },
  ],
  'status: rejects text without a certificate': [[grant('sign')], '/status', { status: { certificate: 'YWJj' } }],
  'status: accepts several certificates': [[grant('sign')], '/status', { status: { certificate: twice } }],
  'requests: ignores the status in updates of users without permissions': [
    [],
    '',
    { ...labeled, status: { certificate, conditions: [condition('Approved')] } },
  ],
};

const patchCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(patches).map(([title, [grants, subresource, patch, before]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const path = await requested(api);
      if (before !== undefined) {
        const isVerdict = JSON.stringify(before).includes('"Approved"');
        await api.patch(`${path}/${isVerdict ? 'approval' : 'status'}`, before, { quiet: true });
      }
      const user = await writer(api, grants);
      await api.patch(`${path}${subresource}`, patch, as(user, { only }));
    },
  ]),
);

/** Requests to create: the spec. */
const specs: Readonly<Record<string, object>> = {
  'subjects: rejects system:masters': { request: certificateRequests.masters },
  'subjects: rejects system:masters among several organizations': { request: certificateRequests.several },
  'subjects: rejects system:masters in a relative distinguished name with several values': {
    request: certificateRequests.together,
  },
  'subjects: rejects system:masters as a BMPString': { request: certificateRequests.wide },
  'subjects: rejects system:masters as a PrintableString': { request: certificateRequests.printable },
  'subjects: accepts system:masters in other attributes': { request: certificateRequests.other },
  'subjects: accepts system:masters for another signer': { request: certificateRequests.masters, signerName: signer },
  'subjects: accepts system:masters for the signer of kubelets': {
    request: certificateRequests.masters,
    signerName: `${clientSigner}-kubelet`,
  },
  'subjects: validates the request before it checks the subject': { request: certificateRequests.masters, usages: [] },
  'signatures: accepts RSA': { request: certificateRequests.rsa },
  'signatures: accepts RSA-PSS': { request: certificateRequests.pss },
  'signatures: accepts Ed25519': { request: certificateRequests.ed25519 },
  'signatures: accepts ECDSA with SHA-384': { request: certificateRequests.sha384 },
  'signatures: accepts SHA-1': { request: certificateRequests.sha1 },
  'signatures: rejects a forged signature of ECDSA': { request: forged(certificateRequests.other) },
  'signatures: rejects a forged signature of RSA': { request: forged(certificateRequests.rsa) },
  'signatures: rejects a forged signature of RSA-PSS': { request: forged(certificateRequests.pss) },
  'signatures: rejects a forged signature of Ed25519': { request: forged(certificateRequests.ed25519) },
  'signatures: rejects an empty request': { request: pem('CERTIFICATE REQUEST', 'MAA=') },
  'signers: rejects the signer legacy-unknown': { signerName: 'kubernetes.io/legacy-unknown' },
  'signers: accepts an unknown signer in the domain kubernetes.io': { signerName: 'kubernetes.io/other' },
};

const specCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(specs).map(([title, spec]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const body = { request: certificateRequests.other, signerName: clientSigner, usages: ['client auth'], ...spec };
      const shown = [...only, 'spec.signerName'];
      await api.post(`${requests}?dryRun=All`, { metadata: { name: 'a' }, spec: body }, { only: shown });
    },
  ]),
);

contract('signers', {}, { ...patchCases, ...specCases });
