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
  'mirror Pods: requires the annotation': ['POST', pods, mirrorPod({}, { annotations: {} })],
  'mirror Pods: rejects another node': ['POST', pods, mirrorPod({ nodeName: 'other' })],
  'mirror Pods: rejects a Pod without an owner': ['POST', pods, owned()],
  'mirror Pods: rejects two owners': ['POST', pods, owned(owner, { ...owner, name: 'b', controller: false })],
  'mirror Pods: rejects another kind of owner': ['POST', pods, owned({ ...owner, kind: 'Pod' })],
  'mirror Pods: rejects another node as the owner': ['POST', pods, owned({ ...owner, name: 'other' })],
  'mirror Pods: requires the owner to be the controller': ['POST', pods, owned({ ...owner, controller: false })],
  'mirror Pods: rejects blockOwnerDeletion': ['POST', pods, owned({ ...owner, blockOwnerDeletion: true })],
  'mirror Pods: rejects the UID of another node': ['POST', pods, owned({ ...owner, uid: 'x' })],
  'mirror Pods: rejects a volume of a ConfigMap': ['POST', pods, using({ configMap: { name: 'c' } })],
  'mirror Pods: rejects a projected ConfigMap': [
    'POST',
    pods,
    using({ projected: { sources: [{ configMap: { name: 'c' } }] } }),
  ],
  'mirror Pods: rejects a ConfigMap in a variable': [
    'POST',
    pods,
    variable({ env: [{ name: 'V', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }] }),
  ],
  'mirror Pods: rejects a ConfigMap with variables': [
    'POST',
    pods,
    variable({ envFrom: [{ configMapRef: { name: 'c' } }] }),
  ],
  'mirror Pods: rejects a claim': ['POST', pods, using({ persistentVolumeClaim: { claimName: 'c' } })],
  'mirror Pods: rejects an ephemeral claim': [
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
  'Pods: rejects the deletion of another Pod': ['DELETE', `${pods}/other`],
  'Pods: updates the status of a Pod on the node': ['PATCH', `${pods}/mine/status`, { status: { phase: 'Running' } }],
  'Pods: rejects the status of another Pod': ['PATCH', `${pods}/other/status`, { status: { phase: 'Running' } }],
  'Pods: rejects labels with the status': ['PATCH', `${pods}/mine/status`, { metadata: { labels } }],
  'Pods: rejects the status of resource claims': [
    'PATCH',
    `${pods}/mine/status`,
    { status: { resourceClaimStatuses: claimStatuses } },
  ],
  'Pods: rejects the status of extended resources': [
    'PATCH',
    `${pods}/mine/status`,
    { status: { extendedResourceClaimStatus: { resourceClaimName: 'c', requestMappings: [] } } },
  ],
  'Pods: evicts a Pod on the node': ['POST', `${pods}/mine/eviction`, { metadata: { name: 'mine' } }],
  'Pods: rejects the eviction of an absent Pod': ['POST', `${pods}/absent/eviction`, { metadata: { name: 'absent' } }],
  'Pods: rejects the eviction of another Pod': ['POST', `${pods}/other/eviction`, { metadata: { name: 'other' } }],
  'nodes: rejects another node': ['POST', '/api/v1/nodes', { metadata: { name: 'other' } }],
  'nodes: rejects restricted labels': [
    'PATCH',
    '/api/v1/nodes/<node>',
    { metadata: { labels: { 'x.node-restriction.kubernetes.io/a': 'b', 'odd.k8s.io/a': 'b', a: 'b' } } },
  ],
  'nodes: accepts labels of kubelets': [
    'PATCH',
    '/api/v1/nodes/<node>',
    { metadata: { labels: { 'kubernetes.io/os': 'linux', 'x.kubelet.kubernetes.io/a': 'b', 'a.example.com/c': 'd' } } },
  ],
  'nodes: rejects taints': [
    'PATCH',
    '/api/v1/nodes/<node>',
    { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
  ],
  'nodes: rejects owners': [
    'PATCH',
    '/api/v1/nodes/<node>',
    { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] } },
  ],
  'nodes: rejects restricted labels with the status': [
    'PATCH',
    '/api/v1/nodes/<node>/status',
    { metadata: { labels: { 'node-restriction.kubernetes.io/a': 'b' } } },
  ],
  'claims: updates the capacity': ['PATCH', `${claim}/status`, { status: { capacity: { storage: '2Gi' } } }],
  'claims: rejects labels with the status': ['PATCH', `${claim}/status`, { metadata: { labels } }],
  'claims: rejects the spec with the status': ['PATCH', `${claim}/status`, { spec: { volumeName: 'v' } }],
  'claims: rejects the phase': ['PATCH', `${claim}/status`, { status: { phase: 'Bound' } }],
  'leases: rejects other namespaces': ['POST', `${leases}/<namespace>/leases`, { metadata: { name: '<node>' } }],
  'leases: rejects other names': ['POST', `${leases}/kube-node-lease/leases`, { metadata: { name: 'other' } }],
  'leases: accepts its own': ['POST', `${leases}/kube-node-lease/leases`, { metadata: { name: '<node>' } }],
  'CSINodes: rejects other names': [
    'POST',
    '/apis/storage.k8s.io/v1/csinodes',
    { metadata: { name: 'other' }, spec: { drivers: [] } },
  ],
  'ResourceSlices: rejects another node': [
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
  'certificates: rejects another name for clients': ['POST', requests, request('kube-apiserver-client-kubelet')],
  'certificates: rejects another name for servers': ['POST', requests, request('kubelet-serving')],
  'certificates: accepts any name for another signer': ['POST', requests, request('kube-apiserver-client')],
  'certificates: rejects a damaged request': ['POST', requests, request('kubelet-serving', { request: 'YQ==' })],
  'tokens: requires a Pod': ['POST', tokens, { spec: { audiences: [] } }],
  'tokens: rejects another kind of object': ['POST', tokens, bound({ apiVersion: 'v1', kind: 'Secret', name: 'a' })],
  'tokens: requires a UID': ['POST', tokens, bound({ apiVersion: 'v1', kind: 'Pod', name: 'mine' })],
  'tokens: rejects another UID': ['POST', tokens, bound({ apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: 'x' })],
  'tokens: accepts an audience of the Pod': ['POST', tokens, bound(mine, { audiences: ['known'] })],
  'tokens: rejects another audience': ['POST', tokens, bound(mine, { audiences: ['odd'] })],
  'tokens: rejects the default audience': ['POST', tokens, bound(mine)],
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
      // The cache of a real server contains the node and the Pods after a while.
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
        // A real server adds the difference of a claim to the message.
        ...as(user, { only: title.startsWith('claims') ? ['reason', 'code', 'status.capacity'] : only }),
      });
    },
  ]),
);

contract('node-restriction', {}, cases);
