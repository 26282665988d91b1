import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { as } from './acting.js';
import { certificateRequests } from './certificate-requests.js';
import { container } from './pod-bodies.js';

const quiet = { quiet: true };
const only = [
  'message',
  'reason',
  'code',
  'details',
  'metadata.labels',
  'metadata.ownerReferences.*.kind',
  'status.capacity',
  'status.phase',
];
const mirror = { 'kubernetes.io/config.mirror': 'x' };
const owner = { apiVersion: 'v1', kind: 'Node', name: '<node>', uid: '<uid>', controller: true };
const spec = { nodeName: '<node>', containers: [container()] };
const mirrorPod = (own: object = {}, metadata: object = {}): object => ({
  metadata: { name: 'm', annotations: mirror, ownerReferences: [owner], ...metadata },
  spec: { ...spec, ...own },
});
const owned = (...ownerReferences: readonly object[]): object => mirrorPod({}, { ownerReferences });
const using = (volume: object): object => mirrorPod({ volumes: [{ name: 'v', ...volume }] });
const variable = (own: object): object => mirrorPod({ containers: [container(own)] });
const labels = { a: 'b' };
const claimStatuses = [{ name: 'r', resourceClaimName: 'c' }];

const pods = '/api/v1/namespaces/<namespace>/pods';
const claim = '/api/v1/namespaces/<namespace>/persistentvolumeclaims/claim';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const leases = '/apis/coordination.k8s.io/v1/namespaces';
const slices = '/apis/resource.k8s.io/v1/resourceslices';
const tokens = '/api/v1/namespaces/<namespace>/serviceaccounts/default/token';
const request = (signer: string, more: object = {}): object => ({
  metadata: { name: 'a' },
  spec: {
    signerName: `kubernetes.io/${signer}`,
    usages: ['client auth', 'digital signature'],
    request: certificateRequests.other,
    ...more,
  },
});
const bound = (boundObjectRef: object, more: object = {}): object => ({ spec: { boundObjectRef, ...more } });

const mine = { apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: '<mine>' };

/**
 * Requests of a node: the method, the path, and the body. `<node>` and `<uid>` are the name and the UID of the node. The namespace contains
 * the Pod `mine` on the node, the Pod `other` on another node, and the claim `claim` of `mine`. The names of Pods in angle brackets, such
 * as `<mine>`, are their UIDs.
 */
const rows: Readonly<Record<string, readonly [method: string, path: string, body?: object]>> = {
  'mirror Pods: accepts a Pod of the node': ['POST', pods, mirrorPod()],
  'mirror Pods: rejects a Pod without the annotation': ['POST', pods, mirrorPod({}, { annotations: {} })],
  'mirror Pods: rejects a Pod on another node': ['POST', pods, mirrorPod({ nodeName: 'other' })],
  'mirror Pods: rejects a Pod without an owner': ['POST', pods, owned()],
  'mirror Pods: rejects a Pod with two owners': [
    'POST',
    pods,
    owned(owner, { ...owner, name: 'b', controller: false }),
  ],
  'mirror Pods: rejects an owner of another kind': ['POST', pods, owned({ ...owner, kind: 'Pod' })],
  'mirror Pods: rejects another node as the owner': ['POST', pods, owned({ ...owner, name: 'other' })],
  'mirror Pods: rejects an owner that is not the controller': ['POST', pods, owned({ ...owner, controller: false })],
  'mirror Pods: rejects blockOwnerDeletion': ['POST', pods, owned({ ...owner, blockOwnerDeletion: true })],
  'mirror Pods: rejects an owner with another UID': ['POST', pods, owned({ ...owner, uid: 'x' })],
  'mirror Pods: rejects a volume with a ConfigMap': ['POST', pods, using({ configMap: { name: 'c' } })],
  'mirror Pods: rejects a projected ConfigMap': [
    'POST',
    pods,
    using({ projected: { sources: [{ configMap: { name: 'c' } }] } }),
  ],
  'mirror Pods: rejects a variable from a ConfigMap': [
    'POST',
    pods,
    variable({ env: [{ name: 'V', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }] }),
  ],
  'mirror Pods: rejects an envFrom with a ConfigMap': [
    'POST',
    pods,
    variable({ envFrom: [{ configMapRef: { name: 'c' } }] }),
  ],
  'mirror Pods: rejects a volume with a claim': ['POST', pods, using({ persistentVolumeClaim: { claimName: 'c' } })],
  'mirror Pods: rejects an ephemeral volume': [
    'POST',
    pods,
    using({
      ephemeral: {
        volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
      },
    }),
  ],
  'mirror Pods: rejects a CSI volume': ['POST', pods, using({ csi: { driver: 'd.example.com' } })],
  'mirror Pods: rejects a resource claim': [
    'POST',
    pods,
    mirrorPod({ resourceClaims: [{ name: 'r', resourceClaimName: 'c' }] }),
  ],
  'mirror Pods: accepts volumes without references': [
    'POST',
    pods,
    mirrorPod({
      volumes: [
        { name: 'a', hostPath: { path: '/a' } },
        { name: 'b', emptyDir: {} },
        { name: 'c', projected: { sources: [{ downwardAPI: { items: [] } }] } },
      ],
    }),
  ],
  'Pods: rejects an update': ['PATCH', `${pods}/mine`, { metadata: { labels } }],
  'Pods: deletes a Pod on the node': ['DELETE', `${pods}/mine`],
  'Pods: rejects the deletion of a Pod on another node': ['DELETE', `${pods}/other`],
  'Pods: updates the status of a Pod on the node': ['PATCH', `${pods}/mine/status`, { status: { phase: 'Running' } }],
  'Pods: rejects a status update of a Pod on another node': [
    'PATCH',
    `${pods}/other/status`,
    { status: { phase: 'Running' } },
  ],
  'Pods: rejects a change of labels in a status update': ['PATCH', `${pods}/mine/status`, { metadata: { labels } }],
  'Pods: rejects a change of resourceClaimStatuses': [
    'PATCH',
    `${pods}/mine/status`,
    { status: { resourceClaimStatuses: claimStatuses } },
  ],
  'Pods: rejects a change of extendedResourceClaimStatus': [
    'PATCH',
    `${pods}/mine/status`,
    { status: { extendedResourceClaimStatus: { resourceClaimName: 'c', requestMappings: [] } } },
  ],
  'Pods: evicts a Pod on the node': ['POST', `${pods}/mine/eviction`, { metadata: { name: 'mine' } }],
  'Pods: rejects the eviction of an absent Pod': ['POST', `${pods}/absent/eviction`, { metadata: { name: 'absent' } }],
  'Pods: rejects the eviction of a Pod on another node': [
    'POST',
    `${pods}/other/eviction`,
    { metadata: { name: 'other' } },
  ],
  'nodes: rejects the creation of another node': ['POST', '/api/v1/nodes', { metadata: { name: 'other' } }],
  'nodes: rejects a change of restricted labels': [
    'PATCH',
    '/api/v1/nodes/<node>',
    { metadata: { labels: { 'x.node-restriction.kubernetes.io/a': 'b', 'odd.k8s.io/a': 'b', a: 'b' } } },
  ],
  'nodes: accepts a change of labels for kubelets': [
    'PATCH',
    '/api/v1/nodes/<node>',
    { metadata: { labels: { 'kubernetes.io/os': 'linux', 'x.kubelet.kubernetes.io/a': 'b', 'a.example.com/c': 'd' } } },
  ],
  'nodes: rejects a change of taints': [
    'PATCH',
    '/api/v1/nodes/<node>',
    { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
  ],
  'nodes: rejects a change of owner references': [
    'PATCH',
    '/api/v1/nodes/<node>',
    { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] } },
  ],
  'nodes: rejects a change of restricted labels in a status update': [
    'PATCH',
    '/api/v1/nodes/<node>/status',
    { metadata: { labels: { 'node-restriction.kubernetes.io/a': 'b' } } },
  ],
  'claims: accepts a change of the capacity': [
    'PATCH',
    `${claim}/status`,
    { status: { capacity: { storage: '2Gi' } } },
  ],
  'claims: rejects a change of labels in a status update': ['PATCH', `${claim}/status`, { metadata: { labels } }],
  'claims: rejects a change of the spec in a status update': [
    'PATCH',
    `${claim}/status`,
    { spec: { volumeName: 'v' } },
  ],
  'claims: rejects a change of the phase': ['PATCH', `${claim}/status`, { status: { phase: 'Bound' } }],
  'leases: rejects a Lease outside of kube-node-lease': [
    'POST',
    `${leases}/<namespace>/leases`,
    { metadata: { name: '<node>' } },
  ],
  'leases: rejects the Lease of another node': [
    'POST',
    `${leases}/kube-node-lease/leases`,
    { metadata: { name: 'other' } },
  ],
  'leases: accepts the Lease of the node': [
    'POST',
    `${leases}/kube-node-lease/leases`,
    { metadata: { name: '<node>' } },
  ],
  'CSINodes: rejects the CSINode of another node': [
    'POST',
    '/apis/storage.k8s.io/v1/csinodes',
    { metadata: { name: 'other' }, spec: { drivers: [] } },
  ],
  'ResourceSlices: rejects a slice of another node': [
    'POST',
    slices,
    {
      metadata: { name: 'other' },
      spec: {
        driver: 'd.example.com',
        nodeName: 'other',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [],
      },
    },
  ],
  'certificates: rejects the client certificate of another user': [
    'POST',
    requests,
    request('kube-apiserver-client-kubelet'),
  ],
  'certificates: rejects the serving certificate of another user': ['POST', requests, request('kubelet-serving')],
  'certificates: accepts a certificate of another user for another signer': [
    'POST',
    requests,
    request('kube-apiserver-client'),
  ],
  'certificates: rejects a request that is not PEM': [
    'POST',
    requests,
    request('kubelet-serving', { request: 'YQ==' }),
  ],
  'tokens: rejects a token without a Pod': ['POST', tokens, { spec: { audiences: [] } }],
  'tokens: rejects a token for an object of another kind': [
    'POST',
    tokens,
    bound({ apiVersion: 'v1', kind: 'Secret', name: 'a' }),
  ],
  'tokens: rejects a Pod without its UID': ['POST', tokens, bound({ apiVersion: 'v1', kind: 'Pod', name: 'mine' })],
  'tokens: rejects a Pod with another UID': [
    'POST',
    tokens,
    bound({ apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: 'x' }),
  ],
  'tokens: accepts an audience of the Pod': ['POST', tokens, bound(mine, { audiences: ['known'] })],
  'tokens: rejects an audience that is not in the Pod': ['POST', tokens, bound(mine, { audiences: ['odd'] })],
  'tokens: rejects the default audience if the claim has no volume': ['POST', tokens, bound(mine)],
  'tokens: rejects two audiences': ['POST', tokens, bound(mine, { audiences: ['known', 'odd'] })],
  'tokens: rejects an absent Pod': ['POST', tokens, bound({ ...mine, name: 'absent' })],
  'tokens: rejects the default audience of a Pod whose driver is absent': [
    'POST',
    tokens,
    bound({ ...mine, name: 'driven', uid: '<driven>' }),
  ],
  'tokens: rejects the default audience of a Pod without volumes': [
    'POST',
    tokens,
    bound({ ...mine, name: 'plain', uid: '<plain>' }),
  ],
  'tokens: rejects a Pod on another node': [
    'POST',
    tokens,
    bound({ apiVersion: 'v1', kind: 'Pod', name: 'other', uid: '<other>' }),
  ],
};

/** Creates the objects of a row. Returns the replacements of the placeholders. */
async function prepared(api: ContractApi): Promise<ReadonlyMap<string, string>> {
  const node = api.name('node');
  const { body } = await api.post('/api/v1/nodes', { metadata: { name: node } }, quiet);
  const path = `/api/v1/namespaces/${api.namespace}`;
  const uids: [placeholder: string, uid: string][] = [];
  // The server reads the claim of a Pod from a cache, so the claim is created before the Pods.
  const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await api.post(`${path}/persistentvolumeclaims`, { metadata: { name: 'claim' }, spec: claimSpec }, quiet);
  const token = { name: 't', projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'known' } }] } };
  const claimed = { name: 'v', persistentVolumeClaim: { claimName: 'claim' } };
  const driven = { name: 'd', csi: { driver: 'absent.example.com' } };
  for (const [name, nodeName, volumes] of [
    ['mine', node, [claimed, token]],
    ['other', 'other', [claimed, token]],
    ['driven', node, [driven, token]],
    ['plain', node, []],
  ] as const) {
    const made = await api.post(
      `${path}/pods`,
      { metadata: { name }, spec: { ...spec, nodeName, automountServiceAccountToken: false, volumes } },
      quiet,
    );
    uids.push([`<${name}>`, String(made.body.metadata.uid)]);
  }
  return new Map([['<node>', node], ['<uid>', String(body.metadata.uid)], ['<namespace>', api.namespace], ...uids]);
}

function filled<T>(value: T, replacements: ReadonlyMap<string, string>): T {
  const text = [...replacements].reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value));
  return JSON.parse(text) as T;
}

const cases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(rows).map(([title, [method, path, body]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const replacements = await prepared(api);
      const user = `system:node:${replacements.get('<node>')}`;
      // A real server reads nodes and Pods from a cache, which it updates with a delay.
      await api.eventually(
        'the node',
        () => api.post(filled(`${pods}?dryRun=All`, replacements), filled(mirrorPod(), replacements), as(user, quiet)),
        ({ status }) => status === 201,
      );
      await api.eventually(
        'the Pod',
        () => api.delete(filled(`${pods}/plain?dryRun=All`, replacements), undefined, as(user, quiet)),
        ({ status }) => status === 200,
      );
      await api.request(method, `${filled(path, replacements)}?dryRun=All`, {
        ...(body !== undefined && { body: filled(body, replacements) }),
        ...(method === 'PATCH' && { type: 'application/merge-patch+json' }),
        // The message of a real server contains the difference between the old and the new claim.
        ...as(user, { only: title.startsWith('claims') ? ['reason', 'code', 'status.capacity'] : only }),
      });
    },
  ]),
);

contract('node-restriction', {}, cases);
