const labels = { app: 'sample' };
const selector = { matchLabels: labels };
const containers = [{ name: 'app', image: 'nginx:1.29-alpine' }];
const template = { metadata: { labels }, spec: { containers } };
const job = { template: { spec: { containers, restartPolicy: 'Never' } } };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const backend = { service: { name: 'sample', port: { number: 80 } } };
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'sample' };

/**
 * Minimal valid objects of built-in kinds by group/kind, without metadata. `builtInSample` adds the metadata. Other kinds have no sample.
 */
const SAMPLES: Readonly<Record<string, object>> = {
  'apps/DaemonSet': { spec: { selector, template } },
  'apps/Deployment': { spec: { replicas: 1, selector, template } },
  'apps/ReplicaSet': { spec: { replicas: 1, selector, template } },
  'apps/StatefulSet': { spec: { replicas: 1, serviceName: 'sample', selector, template } },
  'autoscaling/HorizontalPodAutoscaler': { spec: { scaleTargetRef: target, maxReplicas: 2 } },
  'batch/CronJob': { spec: { schedule: '0 * * * *', jobTemplate: { spec: job } } },
  'batch/Job': { spec: job },
  'coordination.k8s.io/Lease': { spec: { holderIdentity: 'sample' } },
  'discovery.k8s.io/EndpointSlice': { addressType: 'IPv4', endpoints: [] },
  'networking.k8s.io/Ingress': { spec: { defaultBackend: backend } },
  'networking.k8s.io/IngressClass': { spec: { controller: 'example.com/sample' } },
  'networking.k8s.io/NetworkPolicy': { spec: { podSelector: {} } },
  'policy/PodDisruptionBudget': { spec: { minAvailable: 1, selector } },
  'rbac.authorization.k8s.io/ClusterRole': { rules: [] },
  'rbac.authorization.k8s.io/ClusterRoleBinding': { roleRef, subjects: [] },
  'rbac.authorization.k8s.io/Role': { rules: [] },
  'rbac.authorization.k8s.io/RoleBinding': { roleRef, subjects: [] },
  'scheduling.k8s.io/PriorityClass': { value: 1000 },
  'storage.k8s.io/StorageClass': { provisioner: 'example.com/sample' },
  '/ConfigMap': { data: { key: 'value' } },
  '/Namespace': {},
  '/Node': { spec: {} },
  '/PersistentVolume': {
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/sample' } },
  },
  '/PersistentVolumeClaim': { spec: claim },
  '/Pod': { spec: { containers } },
  '/ResourceQuota': { spec: { hard: { pods: '10' } } },
  '/Secret': { stringData: { key: 'value' } },
  '/Service': { spec: { selector: labels, ports: [{ port: 80 }] } },
  '/ServiceAccount': {},
};

/** Returns an object of a built-in kind that an API server accepts; undefined if the kind has no sample. */
export function builtInSample(kind: {
  readonly group: string;
  readonly kind: string;
  readonly namespaced?: boolean | undefined;
}): Readonly<Record<string, unknown>> | undefined {
  const body = SAMPLES[`${kind.group}/${kind.kind}`];
  if (body === undefined) return undefined;
  const name = `${kind.kind.toLowerCase()}-sample`;
  return { metadata: kind.namespaced === true ? { name, namespace: 'default' } : { name }, ...body };
}

/** The built-in kinds that have a sample, as group/kind. */
export const sampledKinds: readonly string[] = Object.keys(SAMPLES);
