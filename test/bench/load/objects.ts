/** The kinds of objects that the load server generates: custom resources of 1.65 KB and Pods of 8.8 KB. */
export type LoadKind = 'webservices' | 'pods';

type Json = Readonly<Record<string, unknown>>;

/** The value of `example.com/sent-at` in an event before the load server writes the time: 19 digits. */
export const UNSENT = '0'.repeat(19);
/** The resourceVersion of an event before the load server writes the version: 10 digits. */
export const UNVERSIONED = '9'.repeat(10);

const CONSONANTS = 'bcdfghjklmnpqrstvwxz2456789';
const NAMESPACES = 211;
const APPS = 997;
const PODS_PER_SET = 10;

/** Returns a number from 0 to 2^32 - 1 that depends only on the arguments. The seed of all data is part of this function. */
function mixed(index: number, salt: number): number {
  let value = (Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b)) >>> 0;
  for (const factor of [0xc2b2ae35, 0x27d4eb2f]) {
    value = Math.imul(value ^ (value >>> 15), factor) >>> 0;
    value = (value ^ (value >>> 13)) >>> 0;
  }
  return value;
}
function hex(index: number, salt: number, digits: number): string {
  let text = '';
  for (let part = 0; text.length < digits; part += 1)
    text += mixed(index, salt + part)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, digits);
}
function suffix(index: number, salt: number, length: number): string {
  return Array.from({ length }, (_, at) => CONSONANTS[mixed(index, salt + at) % CONSONANTS.length]).join('');
}
function uid(index: number, salt: number): string {
  const digits = hex(index, salt, 30);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-a${digits.slice(15, 18)}-${digits.slice(18)}`;
}
function time(index: number, salt: number): string {
  return `${new Date(1_760_000_000_000 + (mixed(index, salt) % 20_000_000) * 1000).toISOString().slice(0, 19)}Z`;
}
function owned(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name === '.' ? name : `f:${name}`, {}]));
}

/** Returns the namespace and the name of an object. */
export function keyOf(kind: LoadKind, index: number): { readonly namespace: string; readonly name: string } {
  if (kind === 'webservices') {
    const app = `svc-${Math.floor(index / 3) % APPS}`;
    return { namespace: `team-${index % NAMESPACES}`, name: `${app}-${suffix(index, 20, 5)}-${index}` };
  }
  const set = Math.floor(index / PODS_PER_SET);
  return {
    namespace: `team-${set % NAMESPACES}`,
    name: `svc-${set}-${suffix(set, 30, 10)}-${suffix(index, 45, 4)}${index}`,
  };
}

/** Returns an object with the fields, the managed fields and the key order of a real API server. */
export function objectOf(kind: LoadKind, index: number): Json {
  return kind === 'pods' ? pod(index) : webService(index);
}

/**
 * Returns the object after a change of its status, with the placeholders for the version and the time of the event. `current` is the state
 * of the object before the change.
 */
export function changedObject(kind: LoadKind, index: number, current: Json = objectOf(kind, index)): Json {
  const object = current as {
    readonly metadata: { readonly annotations: Json };
    readonly status: { readonly conditions: readonly Json[] };
  };
  const { metadata, status } = object;
  const lastTransitionTime = `${new Date(1_793_491_200_000 + index * 37_000).toISOString().slice(0, 19)}Z`;
  const annotations = { 'example.com/sent-at': UNSENT, ...metadata.annotations };
  return {
    ...object,
    metadata: { ...metadata, annotations, resourceVersion: UNVERSIONED },
    status: {
      ...status,
      conditions: status.conditions.map((each, at) => (at === 0 ? { ...each, lastTransitionTime } : each)),
      ...(kind === 'webservices' && { readyReplicas: index % 9 }),
    },
  };
}

const GROUP_VERSION = 'apps.example.com/v1alpha1';

function webService(index: number): Json {
  const { namespace, name } = keyOf('webservices', index);
  const app = `svc-${Math.floor(index / 3) % APPS}`;
  const [created, updated, generation] = [time(index, 1), time(index, 2), 1 + (index % 7)];
  const fields = { apiVersion: GROUP_VERSION, fieldsType: 'FieldsV1' };
  return {
    apiVersion: GROUP_VERSION,
    kind: 'WebService',
    metadata: {
      annotations: { 'example.com/checksum': hex(index, 60, 16), 'example.com/owner-team': namespace },
      creationTimestamp: created,
      finalizers: ['apps.example.com/cleanup'],
      generation,
      labels: {
        'app.kubernetes.io/managed-by': 'platform',
        'app.kubernetes.io/name': app,
        'example.com/tier': ['web', 'worker', 'batch'][index % 3],
      },
      managedFields: [
        {
          ...fields,
          fieldsV1: {
            'f:metadata': {
              'f:annotations': owned('.', 'example.com/owner-team'),
              'f:labels': owned('.', 'app.kubernetes.io/name', 'example.com/tier'),
            },
            'f:spec': owned('.', 'env', 'image', 'replicas', 'resources'),
          },
          manager: 'kubectl-client-side-apply',
          operation: 'Update',
          time: created,
        },
        {
          ...fields,
          fieldsV1: { 'f:status': owned('conditions', 'observedGeneration', 'readyReplicas') },
          manager: 'operator',
          operation: 'Update',
          subresource: 'status',
          time: updated,
        },
      ],
      name,
      namespace,
      resourceVersion: String(100_000_000 + index),
      uid: uid(index, 10),
    },
    spec: {
      env: [
        { name: 'LOG_LEVEL', value: 'info' },
        { name: 'REGION', value: index % 2 === 0 ? 'eu-west-1' : 'us-east-1' },
      ],
      image: `registry.example.com/${namespace}/${app}:v1.${index % 40}.${index % 13}`,
      replicas: 1 + (index % 5),
      resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    },
    status: {
      conditions: [
        {
          lastTransitionTime: updated,
          message: 'all replicas are available',
          observedGeneration: generation,
          reason: 'Available',
          status: 'True',
          type: 'Ready',
        },
      ],
      observedGeneration: generation,
      readyReplicas: 1 + (index % 5),
    },
  };
}

function pod(index: number): Json {
  const set = Math.floor(index / PODS_PER_SET);
  const { namespace, name } = keyOf('pods', index);
  const [app, hash] = [`svc-${set}`, suffix(set, 30, 10)];
  const [created, started] = [time(index, 1), time(index, 2)];
  const octets = [0, 1, 2].map((at) => mixed(index, 70 + at) & 255).join('.');
  const [ip, host] = [`10.${octets}`, `10.${set % 40}.${index % 25}.${mixed(index, 9) % 200}`];
  const image = `registry.example.com/${namespace}/${app}:v1.${set % 40}.${set % 13}`;
  const token = `kube-api-access-${suffix(index, 80, 5)}`;
  const proxy = 'registry.example.com/mesh/proxy:1.24.3';
  const condition = (type: string): Json => ({
    type,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: started,
  });
  const addresses = { hostIP: host, hostIPs: [{ ip: host }], podIP: ip, podIPs: [{ ip }] };
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      generateName: `${app}-${hash}-`,
      namespace,
      uid: uid(index, 10),
      resourceVersion: String(200_000_000 + index),
      creationTimestamp: created,
      labels: { app, 'app.kubernetes.io/name': app, 'pod-template-hash': hash, version: `v1-${set % 40}` },
      annotations: {
        'example.com/config-checksum': hex(set, 90, 32),
        'prometheus.io/port': '8081',
        'prometheus.io/scrape': 'true',
      },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-${hash}`,
          uid: uid(set, 100),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: podFields({ created, started, ip, owner: uid(set, 100) }),
    },
    spec: {
      volumes: volumes(`${app}-config`, token),
      containers: [
        container('app', { image, port: 8080, app, token }),
        container('proxy', { image: proxy, port: 15_020, app, token }),
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: app,
      serviceAccount: app,
      nodeName: `ip-${host.replaceAll('.', '-')}.eu-west-1.compute.internal`,
      securityContext: { runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      schedulerName: 'default-scheduler',
      tolerations: ['not-ready', 'unreachable'].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: {
      phase: 'Running',
      conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
        condition,
      ),
      ...addresses,
      startTime: created,
      containerStatuses: [
        containerStatus('app', { image, digest: hex(set, 110, 64), id: hex(index, 120, 64), started }),
        containerStatus('proxy', { image: proxy, digest: hex(0, 130, 64), id: hex(index, 140, 64), started }),
      ],
      qosClass: 'Burstable',
    },
  };
}

interface Container {
  readonly image: string;
  readonly port: number;
  readonly app: string;
  readonly token: string;
}

function container(name: string, { image, port, app, token }: Container): Json {
  const probe = (path: string, periodSeconds: number): Json => ({
    httpGet: { path, port: 'http', scheme: 'HTTP' },
    ...(periodSeconds === 10 && { initialDelaySeconds: 10 }),
    timeoutSeconds: 1,
    periodSeconds,
    successThreshold: 1,
    failureThreshold: 3,
  });
  const fromField = (fieldPath: string): Json => ({ fieldRef: { apiVersion: 'v1', fieldPath } });
  return {
    name,
    image,
    ports: [
      { name: 'http', containerPort: port, protocol: 'TCP' },
      { name: 'metrics', containerPort: port + 1, protocol: 'TCP' },
    ],
    env: [
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'POD_NAME', valueFrom: fromField('metadata.name') },
      { name: 'POD_NAMESPACE', valueFrom: fromField('metadata.namespace') },
      { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: `${app}-db`, key: 'password' } } },
      { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://otel-collector.monitoring:4317' },
    ],
    resources: { limits: { cpu: '2', memory: '2Gi' }, requests: { cpu: '250m', memory: '512Mi' } },
    volumeMounts: [
      { name: 'config', readOnly: true, mountPath: '/etc/config' },
      { name: token, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
    livenessProbe: probe('/healthz', 10),
    readinessProbe: probe('/readyz', 5),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
    securityContext: {
      capabilities: { drop: ['ALL'] },
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    },
  };
}

function volumes(config: string, token: string): readonly Json[] {
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ];
  return [
    { name: 'config', configMap: { name: config, defaultMode: 420 } },
    { name: token, projected: { sources, defaultMode: 420 } },
  ];
}

interface Started {
  readonly image: string;
  readonly digest: string;
  readonly id: string;
  readonly started: string;
}

function containerStatus(name: string, { image, digest, id, started }: Started): Json {
  return {
    name,
    state: { running: { startedAt: started } },
    lastState: {},
    ready: true,
    restartCount: 0,
    image,
    imageID: `${image.split(':')[0]}@sha256:${digest}`,
    containerID: `containerd://${id}`,
    started: true,
  };
}

interface PodWriters {
  readonly created: string;
  readonly started: string;
  readonly ip: string;
  readonly owner: string;
}

/** Returns the managed fields that the ReplicaSet controller and the kubelet leave on a Pod. */
function podFields({ created, started, ip, owner }: PodWriters): readonly Json[] {
  const entry = { operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
  const probe = {
    ...owned('.', 'failureThreshold', 'initialDelaySeconds', 'periodSeconds', 'successThreshold', 'timeoutSeconds'),
    'f:httpGet': owned('.', 'path', 'port', 'scheme'),
  };
  const variable = (source: string): Json => ({
    ...owned('.', 'name'),
    'f:valueFrom': { '.': {}, [`f:${source}`]: {} },
  });
  const ownedContainer = {
    '.': {},
    'f:env': {
      '.': {},
      'k:{"name":"DB_PASSWORD"}': variable('secretKeyRef'),
      'k:{"name":"LOG_LEVEL"}': owned('.', 'name', 'value'),
      'k:{"name":"OTEL_EXPORTER_OTLP_ENDPOINT"}': owned('.', 'name', 'value'),
      'k:{"name":"POD_NAME"}': variable('fieldRef'),
    },
    ...owned('image', 'imagePullPolicy', 'name', 'terminationMessagePath', 'terminationMessagePolicy'),
    'f:livenessProbe': probe,
    'f:ports': {
      '.': {},
      'k:{"containerPort":8080,"protocol":"TCP"}': owned('.', 'containerPort', 'name', 'protocol'),
    },
    'f:resources': { '.': {}, 'f:limits': owned('.', 'cpu', 'memory'), 'f:requests': owned('.', 'cpu', 'memory') },
    'f:volumeMounts': { '.': {}, 'k:{"mountPath":"/etc/config"}': owned('.', 'mountPath', 'name', 'readOnly') },
  };
  const condition = owned('.', 'lastProbeTime', 'lastTransitionTime', 'status', 'type');
  return [
    {
      manager: 'kube-controller-manager',
      ...entry,
      time: created,
      fieldsV1: {
        'f:metadata': {
          'f:annotations': owned('.', 'example.com/config-checksum', 'prometheus.io/port', 'prometheus.io/scrape'),
          'f:generateName': {},
          'f:labels': owned('.', 'app', 'app.kubernetes.io/name', 'pod-template-hash', 'version'),
          'f:ownerReferences': { '.': {}, [`k:{"uid":"${owner}"}`]: {} },
        },
        'f:spec': {
          'f:containers': { 'k:{"name":"app"}': ownedContainer },
          ...owned('dnsPolicy', 'enableServiceLinks', 'restartPolicy', 'schedulerName', 'securityContext'),
          ...owned('serviceAccount', 'serviceAccountName', 'terminationGracePeriodSeconds'),
          'f:volumes': {
            '.': {},
            'k:{"name":"config"}': { '.': {}, 'f:configMap': owned('.', 'defaultMode', 'name'), 'f:name': {} },
          },
        },
      },
    },
    {
      manager: 'kubelet',
      ...entry,
      time: started,
      fieldsV1: {
        'f:status': {
          'f:conditions': Object.fromEntries(
            ['ContainersReady', 'Initialized', 'Ready'].map((type) => [`k:{"type":"${type}"}`, condition]),
          ),
          ...owned('containerStatuses', 'hostIP', 'phase', 'podIP', 'startTime'),
          'f:podIPs': { '.': {}, [`k:{"ip":"${ip}"}`]: owned('.', 'ip') },
        },
      },
      subresource: 'status',
    },
  ];
}
