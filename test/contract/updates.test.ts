import { contract } from './contract.js';
import { podSpec } from './pod-bodies.js';
import { casesOf, type Update } from './update-cases.js';

const labels = { a: 'b' };
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: podSpec() };
const workload = { replicas: 0, selector, template };
const apps = '/apis/apps/v1';
const storage = '/apis/storage.k8s.io/v1';
const networking = '/apis/networking.k8s.io/v1';
const devices = '/apis/resource.k8s.io/v1';
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'x' };
const budget = { minAvailable: 1, selector };
const scaler = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } };
const job = { suspend: true, template: { spec: { ...podSpec(), restartPolicy: 'Never' } } };
const slice = { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }], ports: [{ name: 'a', port: 80 }] };
const ports = [{ port: 80 }];
const request = { name: 'r', exactly: { deviceClassName: 'c' } };

/** Updates of objects in a namespace, by `plural: behavior`. */
const namespaced: Readonly<Record<string, Update>> = {
  'deployments: rejects a change of the selector': [
    apps,
    { spec: workload },
    { spec: { selector: { matchLabels: { a: 'c' } } } },
  ],
  'deployments: rejects a template that does not match the selector': [
    apps,
    { spec: workload },
    { spec: { template: { metadata: { labels: { a: 'c' } } } } },
  ],
  'deployments: resets the rolling update with the strategy Recreate': [
    apps,
    { spec: workload },
    { spec: { strategy: { type: 'Recreate' } } },
    { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } },
  ],
  'deployments: accepts removed fields and restores their defaults': [
    apps,
    { spec: workload },
    { spec: { replicas: null, revisionHistoryLimit: null, progressDeadlineSeconds: null, strategy: null } },
  ],
  'deployments: rejects negative numbers in the status': [
    apps,
    { spec: workload },
    { spec: { minReadySeconds: -1, revisionHistoryLimit: -1, replicas: -1 } },
  ],
  'replicasets: rejects a change of the selector': [
    apps,
    { spec: workload },
    { spec: { selector: { matchLabels: { a: 'c' } } } },
  ],
  'daemonsets: rejects a change of the selector': [
    apps,
    { spec: { selector, template: { ...template, spec: podSpec({ nodeSelector: { no: 'where' } }) } } },
    { spec: { selector: { matchLabels: { a: 'c' } } } },
    { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } },
    { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } } },
    { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } } },
  ],
  'statefulsets: rejects changes of immutable fields': [
    apps,
    { spec: { ...workload, serviceName: 's' } },
    { spec: { serviceName: 't', podManagementPolicy: 'Parallel' } },
    { spec: { volumeClaimTemplates: [{ metadata: { name: 'v' }, spec: claim }] } },
    { spec: { selector: { matchLabels: { a: 'c' } } } },
  ],
  'statefulsets: accepts changes of the mutable fields': [
    apps,
    { spec: workload },
    {
      spec: {
        minReadySeconds: 3,
        ordinals: { start: 2 },
        revisionHistoryLimit: 2,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
        updateStrategy: { type: 'OnDelete', rollingUpdate: null },
      },
    },
    { spec: { ordinals: { start: -1 }, persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep' } } },
  ],
  'controllerrevisions: rejects a change of the data': [
    apps,
    { revision: 1, data: { a: 1 } },
    { revision: 2 },
    { revision: -1 },
    { data: { a: 2 } },
    { data: null },
  ],
  'replicationcontrollers: accepts a change of the selector with the template': [
    '/api/v1',
    { spec: { replicas: 0, template } },
    { spec: { selector: { a: 'c' } } },
    { spec: { selector: null, template: { metadata: { labels: { a: 'c' } } } } },
    { spec: { replicas: null, minReadySeconds: -1 } },
  ],
  'podtemplates: accepts a change of the template': [
    '/api/v1',
    { template },
    { template: { spec: { restartPolicy: 'Never' } } },
    { template: { spec: { containers: [] } } },
  ],
  'jobs: rejects changes of immutable fields, and accepts a change of manualSelector': [
    '/apis/batch/v1',
    { spec: { ...job, completions: 2 } },
    { spec: { completions: 3 } },
    { spec: { completionMode: 'Indexed' } },
    { spec: { backoffLimitPerIndex: 1 } },
    { spec: { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'T' }] }] } } },
    { spec: { managedBy: 'example.com/x' } },
    { spec: { manualSelector: true } },
  ],
  'jobs: accepts changes of limits and of the parallelism': [
    '/apis/batch/v1',
    { spec: job },
    { spec: { parallelism: 2, activeDeadlineSeconds: 5, backoffLimit: 1, ttlSecondsAfterFinished: 3 } },
    { spec: { parallelism: -1, activeDeadlineSeconds: -1, backoffLimit: -1, ttlSecondsAfterFinished: -1 } },
  ],
  'cronjobs: accepts changes of all fields': [
    '/apis/batch/v1',
    { spec: { schedule: '0 0 1 1 *', suspend: true, jobTemplate: { spec: job } } },
    { spec: { schedule: '@daily', concurrencyPolicy: 'Replace', timeZone: 'Etc/UTC' } },
    { spec: { schedule: 'x', concurrencyPolicy: 'y', timeZone: 'z' } },
    { spec: { successfulJobsHistoryLimit: null, failedJobsHistoryLimit: null, concurrencyPolicy: null } },
  ],
  'horizontalpodautoscalers: rejects bounds that contradict each other': [
    '/apis/autoscaling/v2',
    { spec: scaler },
    { spec: { minReplicas: 4 } },
    { spec: { minReplicas: 0 } },
    { spec: { scaleTargetRef: { kind: 'ReplicaSet' }, maxReplicas: 5 } },
    { spec: { metrics: [] } },
  ],
  'poddisruptionbudgets: accepts a change of the selector': [
    '/apis/policy/v1',
    { spec: budget },
    { spec: { selector: { matchLabels: { c: 'd' } } } },
  ],
  'leases: accepts changes of the holder, and rejects invalid numbers': [
    '/apis/coordination.k8s.io/v1',
    { spec: { holderIdentity: 'a', leaseDurationSeconds: 10 } },
    { spec: { holderIdentity: 'b', leaseTransitions: 1 } },
    { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    { spec: { holderIdentity: '' } },
    { spec: { preferredHolder: 'x' } },
    { spec: { strategy: 'Odd', preferredHolder: 'x' } },
  ],
  'endpointslices: rejects invalid changes of the endpoints': [
    '/apis/discovery.k8s.io/v1',
    slice,
    { addressType: 'IPv6' },
    { endpoints: [{ addresses: ['::1'] }] },
    { endpoints: [{ addresses: [] }] },
    {
      ports: [
        { name: 'a', port: 80 },
        { name: 'a', port: 81 },
      ],
    },
    { ports: [{ name: 'a', port: 80, protocol: 'X' }] },
    { endpoints: null },
  ],
  'ingresses: rejects a spec without rules and a default backend': [
    networking,
    { spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } } } },
    { spec: { defaultBackend: null } },
    { spec: { ingressClassName: 'A' } },
    { metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } } },
    { spec: { ingressClassName: 'x' } },
  ],
  'networkpolicies: accepts changes of the selector and of the types': [
    networking,
    { spec: { podSelector: {} } },
    { spec: { podSelector: selector, policyTypes: ['Egress'], egress: [{}] } },
    { spec: { policyTypes: ['Egress', 'Odd'] } },
    { spec: { ingress: [{ ports: [{ port: 80, endPort: 79 }] }] } },
  ],
  'persistentvolumeclaims: rejects changes of a pending claim': [
    '/api/v1',
    { spec: claim },
    { spec: { resources: { requests: { storage: '2Gi' } } } },
    { spec: { accessModes: ['ReadOnlyMany'] } },
    { spec: { storageClassName: 'y' } },
    { spec: { volumeMode: 'Block' } },
    { spec: { volumeAttributesClassName: 'v' } },
    { spec: { volumeName: 'v' } },
    { spec: { volumeName: 'w' } },
  ],
  'services: rejects changes of addresses and families': [
    '/api/v1',
    { spec: { ports, selector: labels } },
    { spec: { clusterIP: '10.96.0.250', clusterIPs: ['10.96.0.250'] } },
    { spec: { ipFamilies: ['IPv6'] } },
    { spec: { ipFamilyPolicy: 'RequireDualStack' } },
    { spec: { sessionAffinity: 'ClientIP' } },
    { spec: { sessionAffinity: 'None' } },
    { spec: { type: 'ExternalName', externalName: 'a.example.com' } },
    { spec: { type: 'ExternalName', externalName: 'a.example.com', clusterIP: null, clusterIPs: null } },
  ],
  'endpoints: accepts changes of the subsets': [
    '/api/v1',
    {},
    { subsets: [{ addresses: [{ ip: '10.1.2.3', nodeName: 'n' }], ports }] },
    { subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports }] },
    { subsets: [{ addresses: [{ ip: '10.1.2.3', nodeName: 'm' }], ports }] },
    { subsets: [{ addresses: [{ ip: 'x' }], ports: [{ port: 0 }] }] },
  ],
  'limitranges: accepts changes of the limits': [
    '/api/v1',
    { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
    { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }] } },
    { spec: { limits: null } },
    { spec: null },
  ],
  'resourcequotas: accepts changes of the hard limits, and rejects negative numbers': [
    '/api/v1',
    { spec: { hard: { pods: '1' } } },
    { spec: { hard: { pods: '2', cpu: '1500m' } } },
    { spec: { hard: { pods: '-1' } } },
    { spec: { scopes: ['BestEffort'] } },
    { spec: { hard: null } },
  ],
  'serviceaccounts: replaces the lists': [
    '/api/v1',
    { secrets: [{ name: 'a' }, { name: 'b' }], imagePullSecrets: [{ name: 'c' }] },
    { secrets: [{ name: 'd' }] },
    { secrets: null, automountServiceAccountToken: false },
    { automountServiceAccountToken: null },
  ],
  'secrets: rejects invalid data of a type': [
    '/api/v1',
    { type: 'kubernetes.io/basic-auth', stringData: { username: 'a' } },
    { data: { username: null } },
    { stringData: { password: 'x' } },
    { type: 'Opaque' },
    { immutable: true },
    { immutable: null },
    { stringData: { password: 'y' } },
  ],
  'resourceclaims: rejects changes of the spec': [
    devices,
    { spec: { devices: { requests: [request] } } },
    { spec: { devices: { requests: [{ ...request, name: 's' }] } } },
    { spec: { devices: null } },
    { metadata: { labels } },
  ],
  'resourceclaimtemplates: rejects changes of the spec': [
    devices,
    { spec: { spec: { devices: { requests: [request] } } } },
    { spec: { spec: { devices: { requests: [{ ...request, name: 's' }] } } } },
    { metadata: { labels } },
  ],
  'csistoragecapacities: accepts changes of the capacity only': [
    storage,
    { storageClassName: 'x', capacity: '1Gi', nodeTopology: selector },
    { capacity: '2Gi', maximumVolumeSize: '1Gi' },
    { capacity: '-1' },
    { storageClassName: 'y' },
    { nodeTopology: { matchLabels: { c: 'd' } } },
  ],
  'rolebindings: accepts changes of the subjects only': [
    '/apis/rbac.authorization.k8s.io/v1',
    { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } },
    { subjects: [{ kind: 'User', name: 'u' }] },
    { subjects: [{ kind: 'ServiceAccount', name: 's' }] },
    { roleRef: { name: 'edit' } },
    { roleRef: { kind: 'Role' } },
  ],
  'events: rejects a change of the object': [
    '/api/v1',
    { involvedObject: { kind: 'Pod', name: 'p' }, reason: 'R', message: 'm', type: 'Normal' },
    { count: 2, message: 'n' },
    { type: 'Odd' },
    { involvedObject: { name: 'q' } },
  ],
};

contract('updates', {}, casesOf(namespaced, true));
