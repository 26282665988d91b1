import { contract, type ContractCase } from './contract.js';

const containers = [{ name: 'c', image: 'i' }];
const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers } };
const workload = { replicas: 0, selector: { matchLabels: labels }, template };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const storage = '/apis/storage.k8s.io/v1';
const networking = '/apis/networking.k8s.io/v1';

/** An object of each kind without its metadata, and the path where it is created. */
const namespaced: Readonly<Record<string, readonly [path: string, object]>> = {
  configmaps: ['/api/v1', {}],
  secrets: ['/api/v1', {}],
  serviceaccounts: ['/api/v1', {}],
  limitranges: ['/api/v1', { spec: { limits: [] } }],
  resourcequotas: ['/api/v1', { spec: {} }],
  services: ['/api/v1', { spec: { ports: [{ port: 1 }] } }],
  endpoints: ['/api/v1', {}],
  persistentvolumeclaims: [
    '/api/v1',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, storageClassName: 'x' } },
  ],
  pods: ['/api/v1', { spec: { schedulerName: 'none', containers } }],
  replicationcontrollers: ['/api/v1', { spec: { replicas: 0, selector: labels, template } }],
  podtemplates: ['/api/v1', { template }],
  deployments: ['/apis/apps/v1', { spec: workload }],
  statefulsets: ['/apis/apps/v1', { spec: workload }],
  replicasets: ['/apis/apps/v1', { spec: workload }],
  daemonsets: [
    '/apis/apps/v1',
    {
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { schedulerName: 'none', nodeSelector: { no: 'where' }, containers } },
      },
    },
  ],
  controllerrevisions: ['/apis/apps/v1', { revision: 1 }],
  jobs: ['/apis/batch/v1', { spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers } } } }],
  cronjobs: [
    '/apis/batch/v1',
    {
      spec: {
        suspend: true,
        schedule: '0 0 1 1 *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
      },
    },
  ],
  horizontalpodautoscalers: [
    '/apis/autoscaling/v2',
    { spec: { maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'x' } } },
  ],
  poddisruptionbudgets: ['/apis/policy/v1', { spec: {} }],
  roles: [rbac, {}],
  rolebindings: [rbac, { roleRef }],
  leases: ['/apis/coordination.k8s.io/v1', { spec: {} }],
  endpointslices: ['/apis/discovery.k8s.io/v1', { addressType: 'IPv4', endpoints: [] }],
  ingresses: [networking, { spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } } } }],
  networkpolicies: [networking, { spec: { podSelector: {} } }],
  csistoragecapacities: [storage, { storageClassName: 'x' }],
};
const ofCluster: Readonly<Record<string, readonly [path: string, object]>> = {
  namespaces: ['/api/v1', {}],
  persistentvolumes: [
    '/api/v1',
    { spec: { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
  ],
  priorityclasses: ['/apis/scheduling.k8s.io/v1', { value: 1 }],
  storageclasses: [storage, { provisioner: 'x/y' }],
  csidrivers: [storage, { spec: {} }],
  csinodes: [storage, { spec: { drivers: [] } }],
  runtimeclasses: ['/apis/node.k8s.io/v1', { handler: 'x' }],
  clusterroles: [rbac, {}],
  clusterrolebindings: [rbac, { roleRef }],
  ingressclasses: [networking, { spec: { controller: 'x.io/y' } }],
  deviceclasses: ['/apis/resource.k8s.io/v1', { spec: {} }],
  flowschemas: ['/apis/flowcontrol.apiserver.k8s.io/v1', { spec: { priorityLevelConfiguration: { name: 'exempt' } } }],
};

/** Returns a case with invalid metadata in a new object, in an update, and in an update of the status. */
function validated(plural: string, [path, body]: readonly [path: string, object], isNamespaced: boolean): ContractCase {
  return async (api) => {
    const name = isNamespaced ? 'a' : api.name('judged');
    const objects = `${path}${isNamespaced ? `/namespaces/${api.namespace}` : ''}/${plural}`;
    const wrong = { labels: { 'a b': '1' }, finalizers: ['x'] };
    const only = ['code', 'details.causes.*.field', 'details.causes.*.reason'];
    await api.post(`${objects}?dryRun=All`, { metadata: { name, ...wrong }, ...body }, { only });
    await api.post(objects, { metadata: { name }, ...body }, { only: ['metadata.name'] });
    await api.patch(`${objects}/${name}?dryRun=All`, { metadata: wrong }, { only });
    await api.patch(`${objects}/${name}/status?dryRun=All`, { metadata: wrong }, { only });
  };
}

contract(
  'metadata',
  {},
  Object.fromEntries(
    [...Object.entries(namespaced), ...Object.entries(ofCluster)].map(([plural, kind]) => [
      `reports the same number of metadata errors of ${plural} as a real server`,
      validated(plural, kind, plural in namespaced),
    ]),
  ),
);
