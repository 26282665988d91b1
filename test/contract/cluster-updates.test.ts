import { contract } from './contract.js';
import { casesOf, type Update } from './update-cases.js';

const labels = { a: 'b' };
const storage = '/apis/storage.k8s.io/v1';
const networking = '/apis/networking.k8s.io/v1';
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';
const devices = '/apis/resource.k8s.io/v1';
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
const affinity = (key: string): object => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['a'] }] }] },
});
const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
const schema = { priorityLevelConfiguration: { name: 'global-default' } };
const level = { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } };

/** Updates of objects of the cluster, by `plural: behavior`. */
const ofCluster: Readonly<Record<string, Update>> = {
  'persistentvolumes: rejects changes of the source': [
    '/api/v1',
    { spec: volume },
    { spec: { hostPath: { path: '/y' } } },
    { spec: { hostPath: null, nfs: { server: 's', path: '/' } } },
    { spec: { volumeMode: 'Block' } },
    { spec: { capacity: { storage: '2Gi' }, accessModes: ['ReadOnlyMany'], persistentVolumeReclaimPolicy: 'Delete' } },
    { spec: { storageClassName: 'x', mountOptions: ['ro'] } },
    { spec: { capacity: null } },
  ],
  'persistentvolumes: accepts a node affinity once': [
    '/api/v1',
    { spec: volume },
    { spec: { nodeAffinity: affinity('a') } },
    { spec: { nodeAffinity: affinity('b') } },
    { spec: { nodeAffinity: null } },
  ],
  'persistentvolumes: accepts changes of the claim': [
    '/api/v1',
    { spec: volume },
    { spec: { claimRef: { namespace: 'n', name: 'c' } } },
    { spec: { claimRef: { name: 'd', uid: 'u' } } },
    { spec: { claimRef: null } },
  ],
  'nodes: rejects changes of the identity': [
    '/api/v1',
    { spec: { podCIDR: '10.244.7.0/24', podCIDRs: ['10.244.7.0/24'] } },
    { spec: { podCIDR: '10.244.8.0/24', podCIDRs: ['10.244.8.0/24'] } },
    { spec: { providerID: 'p://a', taints: [{ key: 'a', effect: 'NoSchedule' }] } },
    { spec: { providerID: 'p://b' } },
    { spec: { unschedulable: true, taints: [{ key: 'a', effect: 'NoSchedule' }] } },
    {
      spec: {
        taints: [
          { key: 'a', effect: 'Odd' },
          { key: 'b c', effect: 'NoExecute' },
        ],
      },
    },
    { spec: { externalID: 'x' } },
  ],
  'storageclasses: rejects changes of parameters and topologies': [
    storage,
    { provisioner: 'a.example.com', parameters: labels, allowedTopologies: [] },
    { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }] },
    { volumeBindingMode: 'Never' },
    { reclaimPolicy: null },
    { mountOptions: null, allowVolumeExpansion: false },
  ],
  'csinodes: accepts new drivers, and rejects changes of drivers': [
    storage,
    { spec: { drivers: [{ name: 'a', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 1 } }] } },
    { spec: { drivers: [{ name: 'a', nodeID: 'm', topologyKeys: ['k'], allocatable: { count: 1 } }] } },
    { spec: { drivers: [{ name: 'a', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 2 } }] } },
    { spec: { drivers: [{ name: 'a', nodeID: 'n', topologyKeys: ['l'], allocatable: { count: 1 } }] } },
    {
      spec: {
        drivers: [
          { name: 'a', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 1 } },
          { name: 'b', nodeID: 'n', topologyKeys: null },
        ],
      },
    },
    { spec: { drivers: [] } },
  ],
  'csidrivers: accepts changes of the mutable fields': [
    storage,
    { spec: { attachRequired: false } },
    { spec: { tokenRequests: [{ audience: 'a' }], requiresRepublish: true, seLinuxMount: true } },
    { spec: { podInfoOnMount: true, storageCapacity: true, fsGroupPolicy: 'File' } },
    { spec: { attachRequired: true } },
    { spec: { volumeLifecycleModes: ['Ephemeral'] } },
  ],
  'volumeattributesclasses: rejects changes of driver and parameters': [
    storage,
    { driverName: 'a.example.com', parameters: labels },
    { driverName: 'b.example.com' },
    { parameters: { a: 'c' } },
    { parameters: null },
    { metadata: { labels } },
  ],
  'priorityclasses: rejects changes of value and policy': [
    '/apis/scheduling.k8s.io/v1',
    { value: 5 },
    { value: 6 },
    { preemptionPolicy: 'Never' },
    { description: 'd' },
  ],
  'runtimeclasses: rejects a change of the handler only': [
    '/apis/node.k8s.io/v1',
    { handler: 'a' },
    { handler: 'b' },
    { overhead: { podFixed: { cpu: '1m' } }, scheduling: { nodeSelector: labels } },
    { overhead: { podFixed: { cpu: '-1m' } } },
    { scheduling: { tolerations: [{ key: 'a', operator: 'Odd' }] } },
  ],
  'ingressclasses: rejects a change of the controller only': [
    networking,
    { spec: { controller: 'a.example.com/c' } },
    { spec: { controller: 'b.example.com/c' } },
    { spec: { parameters: { kind: 'K', name: 'n', scope: 'Cluster' } } },
    { spec: { parameters: { scope: 'Namespace' } } },
    { metadata: { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'maybe' } } },
  ],
  'deviceclasses: accepts changes of the selectors': [
    devices,
    { spec: {} },
    { spec: { selectors: [{ cel: { expression: 'device.driver == "a"' } }] } },
    { spec: { selectors: [{}] } },
    { spec: { config: [{ opaque: { driver: 'a', parameters: {} } }] } },
    { spec: { extendedResourceName: 'a' } },
  ],
  'resourceslices: rejects changes of driver, pool and node': [
    devices,
    { spec: { driver: 'a.example.com', nodeName: 'n', pool } },
    { spec: { driver: 'b.example.com' } },
    { spec: { nodeName: 'm' } },
    { spec: { nodeName: null, allNodes: true } },
    { spec: { pool: { name: 'q' } } },
    { spec: { pool: { generation: 2 }, devices: [{ name: 'd' }] } },
    { spec: { devices: [{ name: 'd' }, { name: 'd' }] } },
  ],
  'flowschemas: validates changes of the rules': [
    flow,
    { spec: { ...schema, matchingPrecedence: 900 } },
    { spec: { matchingPrecedence: 0 } },
    { spec: { matchingPrecedence: 10_001 } },
    { spec: { distinguisherMethod: { type: 'ByOdd' } } },
    { spec: { rules: [{ subjects: [], resourceRules: [] }] } },
    { spec: { rules: [{ subjects: [{ kind: 'User' }] }] } },
    { spec: { priorityLevelConfiguration: { name: '' } } },
  ],
  'prioritylevelconfigurations: validates changes of the limits': [
    flow,
    { spec: level },
    { spec: { limited: { nominalConcurrencyShares: -1 } } },
    { spec: { limited: { limitResponse: { type: 'Queue' } } } },
    {
      spec: { limited: { limitResponse: { type: 'Queue', queuing: { queues: 1, handSize: 2, queueLengthLimit: 0 } } } },
    },
    { spec: { limited: { lendablePercent: 101, borrowingLimitPercent: -1 } } },
    { spec: { type: 'Exempt' } },
    { spec: { type: 'Exempt', limited: null } },
  ],
  'clusterroles: validates changes of the rules': [
    '/apis/rbac.authorization.k8s.io/v1',
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    { rules: [{ verbs: ['get'] }] },
    { rules: [{ nonResourceURLs: ['/x'], resources: ['pods'], apiGroups: [''], verbs: ['get'] }] },
    { aggregationRule: { clusterRoleSelectors: [] } },
    { rules: null },
  ],
};

contract('cluster-updates', {}, casesOf(ofCluster, false));
