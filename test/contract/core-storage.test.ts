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
  'defaults a minimal claim': claimSpec,
  'rejects missing access modes and requests': {},
  'rejects an unknown access mode': {
    ...claimSpec,
    accessModes: ['Sometimes', 'ReadWriteOncePod', 'ReadOnlyMany'],
    volumeMode: 'Tape',
  },
  'rejects a request of zero': { ...claimSpec, resources: { requests: { storage: '0' } } },
  'rejects an invalid selector': { ...claimSpec, selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
  'rejects an invalid storageClassName': { ...claimSpec, storageClassName: 'A_', volumeAttributesClassName: 'B_' },
  'accepts a dataSource': { ...claimSpec, dataSource: { kind: 'Thing', name: '' } },
  'rejects a dataSource that differs from dataSourceRef': {
    ...claimSpec,
    dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
    dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
  },
  'copies dataSource and dataSourceRef to each other': {
    ...claimSpec,
    dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
  },
};

const volumes: Readonly<Record<string, object>> = {
  'defaults a minimal volume': volumeSpec,
  'rejects missing type, capacity, and access modes': {},
  'rejects several volume types': { ...volumeSpec, nfs: { server: 'a', path: '/b' } },
  'rejects a type without required fields': { ...volumeSpec, hostPath: undefined, nfs: { path: 'b' } },
  'rejects a local volume without node affinity': { ...volumeSpec, hostPath: undefined, local: { path: '/a/../b' } },
  'rejects a CSI volume without driver and handle': { ...volumeSpec, hostPath: undefined, csi: {} },
  'rejects a capacity of zero': { ...volumeSpec, capacity: { storage: '0' } },
  'rejects an unknown reclaim policy': {
    ...volumeSpec,
    persistentVolumeReclaimPolicy: 'Burn',
    volumeMode: 'Tape',
    storageClassName: 'A_',
  },
  'rejects a node affinity without terms': { ...volumeSpec, nodeAffinity: { required: { nodeSelectorTerms: [] } } },
  'warns about the reclaim policy Recycle': { ...volumeSpec, persistentVolumeReclaimPolicy: 'Recycle' },
};

const claimCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(claims).map(([title, spec]): readonly [string, ContractCase] => [
    `PersistentVolumeClaim: ${title}`,
    async (api) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`, { metadata: { name: 'a' }, spec });
    },
  ]),
);

const volumeCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(volumes).map(([title, spec]): readonly [string, ContractCase] => [
    `PersistentVolume: ${title}`,
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
    'keeps an empty storageClassName of a claim': async (api) => {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests } };
      const none = { ...spec, storageClassName: '' };
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(
        path,
        { metadata: { name: 'b' }, spec: none },
        { only: ['spec', 'status', 'metadata.finalizers'] },
      );
    },
    'accepts changes of the volumeName and the labels of an unbound claim': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(path, { metadata: { name: 'a' }, spec: claimSpec }, { quiet: true });
      await api.patch(`${path}/a`, { spec: { volumeName: 'v' } }, { only: ['spec'] });
      await api.patch(`${path}/a`, { metadata: { labels: { a: 'b' } } }, { only: ['metadata.labels'] });
    },
    'rejects a negative capacity in the status of a claim': async (api) => {
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
    'warns about the deprecated storage class annotation': async (api) => {
      const annotations = { 'volume.beta.kubernetes.io/storage-class': 'none' };
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } };
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(path, { metadata: { name: 'a', annotations }, spec }, { only: ['spec', 'metadata.annotations'] });
    },
    'returns all columns in the table of claims': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/persistentvolumeclaims`;
      await api.post(path, { metadata: { name: 'a' }, spec: claimSpec }, { quiet: true });
      const only = [
        'columnDefinitions.*.name',
        'columnDefinitions.*.priority',
        ...[0, 1, 2, 3, 4, 5, 6, 8].map((cell) => `rows.*.cells.${cell}`),
      ];
      await api.get(path, { headers: table, only });
    },
    'returns all columns in the table of volumes': async (api) => {
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
    'adds the protection finalizer to a volume': async (api) => {
      const name = api.name('pv');
      await api.post(
        '/api/v1/persistentvolumes',
        { metadata: { name, finalizers: ['example.com/mine'] }, spec: volumeSpec },
        { only: ['metadata.finalizers'] },
      );
      await api.patch(`/api/v1/persistentvolumes/${name}`, { metadata: { finalizers: null } }, { quiet: true });
    },
    'creates a Node': async (api) => {
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
    'rejects invalid and duplicate taints': async (api) => {
      const taints = [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', effect: 'NoSchedule' },
        { key: '-', value: '-', effect: 'Never' },
        { key: 'b' },
      ];
      await api.post('/api/v1/nodes?dryRun=All', { metadata: { name: api.name('node') }, spec: { taints } });
    },
    'rejects invalid quantities in the status of a Node': async (api) => {
      await api.post('/api/v1/nodes?dryRun=All', {
        metadata: { name: api.name('node') },
        status: { capacity: { pods: '1500m' } },
      });
    },
    'selects Nodes by spec.unschedulable': async (api) => {
      await api.get('/api/v1/nodes?fieldSelector=spec.taints%3Dx');
      await api.get('/api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue', { only: ['items', 'kind'] });
    },
  },
);
