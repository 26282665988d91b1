import { contract, type ContractCase } from './contract.js';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const requests = { storage: '1Gi' };
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests }, storageClassName: 'none' };
const volumeSpec = {
  accessModes: ['ReadWriteOnce'],
  capacity: { storage: '1Gi' },
  hostPath: { path: '/a' },
  storageClassName: 'none',
};

const claims: Readonly<Record<string, object>> = {
  'gets the defaults of a claim': claimSpec,
  'asks for something': {},
  'is used in known ways': {
    ...claimSpec,
    accessModes: ['Sometimes', 'ReadWriteOncePod', 'ReadOnlyMany'],
    volumeMode: 'Tape',
  },
  'asks for more than nothing': { ...claimSpec, resources: { requests: { storage: '0' } } },
  'selects volumes by labels': { ...claimSpec, selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
  'is of a class with a name': { ...claimSpec, storageClassName: 'A_', volumeAttributesClassName: 'B_' },
  'comes from something': { ...claimSpec, dataSource: { kind: 'Thing', name: '' } },
  'comes from one thing': {
    ...claimSpec,
    dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
    dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
  },
  'says twice what it comes from': { ...claimSpec, dataSource: { kind: 'PersistentVolumeClaim', name: 'a' } },
};

const volumes: Readonly<Record<string, object>> = {
  'gets the defaults of a volume': volumeSpec,
  'has a kind, a size and ways of use': {},
  'is of one kind': { ...volumeSpec, nfs: { server: 'a', path: '/b' } },
  'says what its kind needs': { ...volumeSpec, hostPath: undefined, nfs: { path: 'b' } },
  'is on a node when it is local': { ...volumeSpec, hostPath: undefined, local: { path: '/a/../b' } },
  'has a driver when it is of one': { ...volumeSpec, hostPath: undefined, csi: {} },
  'has a size': { ...volumeSpec, capacity: { storage: '0' } },
  'is kept in known ways': {
    ...volumeSpec,
    persistentVolumeReclaimPolicy: 'Burn',
    volumeMode: 'Tape',
    storageClassName: 'A_',
  },
  'is on nodes by a selector': { ...volumeSpec, nodeAffinity: { required: { nodeSelectorTerms: [] } } },
  'warns of recycling': { ...volumeSpec, persistentVolumeReclaimPolicy: 'Recycle' },
};

const claimCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(claims).map(([title, spec]): readonly [string, ContractCase] => [
    `a PersistentVolumeClaim ${title}`,
    async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`, { metadata: { name: 'a' }, spec });
    },
  ]),
);

const volumeCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(volumes).map(([title, spec]): readonly [string, ContractCase] => [
    `a PersistentVolume ${title}`,
    async (api) => {
      const name = api.name('pv');
      await api.post('/api/v1/persistentvolumes', { metadata: { name }, spec });
      await api.patch(`/api/v1/persistentvolumes/${name}`, { metadata: { finalizers: null } }, { quiet: true });
    },
  ]),
);

contract(
  'core-storage',
  {},
  {
    ...claimCases,
    ...volumeCases,
    'a claim gets the default class': async (api) => {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests } };
      const none = { ...spec, storageClassName: '' };
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(
        path,
        { metadata: { name: 'b' }, spec: none },
        { only: ['spec', 'status', 'metadata.finalizers'] },
      );
    },
    'a claim stays what it is': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(path, { metadata: { name: 'a' }, spec: claimSpec }, { quiet: true });
      await api.patch(`${path}/a`, { spec: { volumeName: 'v' } }, { only: ['spec'] });
      await api.patch(`${path}/a`, { metadata: { labels: { a: 'b' } } }, { only: ['metadata.labels'] });
    },
    'a bound claim may grow': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(
        path,
        { metadata: { name: 'a' }, spec: { ...claimSpec, storageClassName: 'none-2' } },
        { quiet: true },
      );
      await api.patch(
        `${path}/a/status`,
        { spec: { volumeName: 'x' }, status: { capacity: { storage: '-1' } } },
        { only: ['spec.volumeName', 'message'] },
      );
    },
    'a claim with the old name of its class is warned about': async (api) => {
      const annotations = { 'volume.beta.kubernetes.io/storage-class': 'none' };
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } };
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(path, { metadata: { name: 'a', annotations }, spec }, { only: ['spec', 'metadata.annotations'] });
    },
    'the table of claims has all columns': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(path, { metadata: { name: 'a' }, spec: claimSpec }, { quiet: true });
      const only = [
        'columnDefinitions.*.name',
        'columnDefinitions.*.priority',
        ...[0, 1, 2, 3, 4, 5, 6, 8].map((cell) => `rows.*.cells.${cell}`),
      ];
      await api.get(path, { headers: table, only });
    },
    'the table of volumes has all columns': async (api) => {
      const name = api.name('pv');
      await api.post(
        '/api/v1/persistentvolumes',
        {
          metadata: { name },
          spec: {
            ...volumeSpec,
            claimRef: { namespace: 'no-such', name: 'c', uid: 'u' },
            accessModes: ['ReadWriteMany', 'ReadOnlyMany'],
          },
        },
        { quiet: true },
      );
      const only = [
        'columnDefinitions.*.name',
        'columnDefinitions.*.priority',
        ...[0, 1, 2, 3, 5, 6, 7, 10].map((cell) => `rows.*.cells.${cell}`),
      ];
      await api.get(`/api/v1/persistentvolumes/${name}`, { headers: table, only });
      await api.patch(`/api/v1/persistentvolumes/${name}`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'storage is protected while it is there': async (api) => {
      const name = api.name('pv');
      await api.post(
        '/api/v1/persistentvolumes',
        { metadata: { name, finalizers: ['example.com/mine'] }, spec: volumeSpec },
        { only: ['metadata.finalizers'] },
      );
      await api.patch(`/api/v1/persistentvolumes/${name}`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'a Node is what it says': async (api) => {
      const name = api.name('node');
      const status = { capacity: { cpu: '2', memory: '1024Mi' }, nodeInfo: { kubeletVersion: 'v1' } };
      await api.post(
        '/api/v1/nodes?dryRun=All',
        { metadata: { name }, spec: { podCIDR: '10.9.0.0/24' }, status },
        {
          only: [
            'metadata.labels',
            'spec.podCIDR',
            'spec.podCIDRs',
            'status.capacity',
            'status.allocatable',
            'metadata.generation',
          ],
        },
      );
    },
    'a Node has taints that are ones, once': async (api) => {
      const taints = [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', effect: 'NoSchedule' },
        { key: '-', value: '-', effect: 'Never' },
        { key: 'b' },
      ];
      await api.post('/api/v1/nodes?dryRun=All', { metadata: { name: api.name('node') }, spec: { taints } });
    },
    'a Node has amounts that can be': async (api) => {
      await api.post('/api/v1/nodes?dryRun=All', {
        metadata: { name: api.name('node') },
        status: { capacity: { pods: '1500m' } },
      });
    },
    'Nodes are selected by whether they take Pods': async (api) => {
      await api.get('/api/v1/nodes?fieldSelector=spec.taints%3Dx');
      await api.get('/api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue', { only: ['items', 'kind'] });
    },
  },
);
