const template = {
  metadata: { labels: { app: 'web' } },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'registry.example.com/web:1',
        args: ['-v', ''],
        env: [
          { name: 'A', value: '' },
          { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: '500m', memory: '1Gi' } },
        livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
        securityContext: { runAsNonRoot: false, capabilities: { drop: ['ALL'] } },
      },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
    tolerations: [{ operator: 'Exists' }],
  },
};
const selector = { matchLabels: { app: 'web' } };
const metadata = (name: string): object => ({
  name,
  namespace: 'default',
  labels: { app: 'web' },
  annotations: { a: 'größer', b: '' },
});
const job = { template: { spec: { ...template.spec, restartPolicy: 'Never' } }, suspend: true };
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'number', minimum: 1.5, default: 3, enum: [3, 4] },
        any: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: { a: [1, 'b', null] } },
      },
    },
  },
};

/** Objects of many built-in kinds, which the tests create on a server. */
export const OBJECTS: readonly object[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadata('a'),
    data: { a: 'größer "1"\n', b: '' },
    binaryData: { c: 'AAEC/w==' },
  },
  { apiVersion: 'v1', kind: 'Secret', metadata: metadata('a'), stringData: { a: 'b' }, immutable: true },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata('a'),
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] },
  },
  { apiVersion: 'v1', kind: 'Pod', metadata: metadata('a'), spec: { ...template.spec, nodeSelector: { none: 'x' } } },
  { apiVersion: 'v1', kind: 'PodTemplate', metadata: metadata('a'), template },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: metadata('a'),
    spec: { replicas: 0, selector: { app: 'web' }, template },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: metadata('a'),
    spec: { limits: [{ type: 'Pod', max: { cpu: '64' } }] },
  },
  { apiVersion: 'v1', kind: 'ResourceQuota', metadata: metadata('a'), spec: { hard: { 'count/jobs.batch': '50' } } },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadata('a'),
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1.5Gi' } } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'a' },
    spec: { accessModes: ['ReadOnlyMany'], capacity: { storage: '1Ti' }, nfs: { server: 's', path: '/' } },
  },
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: metadata('a'),
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
    reason: 'A',
    message: 'b',
    type: 'Normal',
    eventTime: '2026-01-01T00:00:00.000001Z',
    reportingComponent: 'test',
    reportingInstance: 'test',
    action: 'A',
  },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: metadata('a'), spec: { replicas: 0, selector, template } },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: metadata('a'), spec: { replicas: 0, selector, template } },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: metadata('a'), spec: { selector, template } },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: metadata('a'),
    spec: { replicas: 0, selector, template, serviceName: 'a' },
  },
  { apiVersion: 'batch/v1', kind: 'Job', metadata: metadata('a'), spec: job },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata('a'),
    spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: job } },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata('a'),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      maxReplicas: 3,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata('a'),
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 'http' }, { port: 80, endPort: 90 }] }, {}] },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata('a'),
    spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
  },
  { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'a' }, spec: { controller: 'a.b/c' } },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata('a'),
    spec: { minAvailable: '50%', selector },
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: metadata('a'),
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: metadata('a'),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'a' },
    provisioner: 'a.b/c',
    parameters: { a: 'b' },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'a.b' },
    spec: { tokenRequests: [{ audience: 'a' }] },
  },
  { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'a' }, value: -7 },
  { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'a' }, handler: 'a' },
  {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'a' },
    spec: { selectors: [{ cel: { expression: 'true' } }] },
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: metadata('a'),
    spec: { holderIdentity: 'a', renewTime: '2026-01-01T00:00:00.123456Z', leaseTransitions: 0 },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: metadata('a'),
    data: { a: 1 },
    revision: 9_007_199_254_740_993n,
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'a' },
    webhooks: [
      {
        name: 'a.example.com',
        clientConfig: { url: 'https://127.0.0.1:1/a' },
        rules: [{ apiGroups: ['none.example.com'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'a' },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ['none.example.com'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
      },
      validations: [{ expression: 'true' }],
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'machines.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'machines', kind: 'Machine' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
      ],
    },
  },
];
