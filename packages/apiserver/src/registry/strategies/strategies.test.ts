import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { ApiError } from '@kubewright/api/errors';
import { Store } from '../../storage/store.js';
import type { ApiObject, JsonDraft } from '../objects/api-object.js';
import { copyJson, objectAt, objectsAt, stringAt, valueAt } from '../objects/json-object.js';
import { Registry } from '../registry.js';
import { systemContext } from '../requests/request-context.js';
import type { Resource } from '../resource.js';

type Path = `${string}/${string}/${string}`;
const context = systemContext('test', 'create');
const key = { namespace: 'default', name: 'a' };

function resource(path: Path, registry = newRegistry()): Resource {
  return registry.builtIn(path);
}

function newRegistry(): Registry {
  return new Registry({ store: new Store(), clock: new SystemClock() });
}

function edited(change: (draft: JsonDraft) => void): (live: ApiObject) => unknown {
  return (live) => {
    const draft = copyJson(live) as unknown as JsonDraft;
    change(draft);
    return draft;
  };
}

function causes(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.status, 422, error.message);
    return (error.body.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
  return [];
}

const spec = (more: object = {}) => ({ containers: [{ name: 'c', image: 'nginx:1', ...more }] });
const workload = (more: object = {}) => ({
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: spec() },
  ...more,
});

const service = (name: string, more: object = {}) => ({
  metadata: { name, namespace: 'default' },
  spec: { ports: [{ port: 80 }], ...more },
});

const refused: readonly (readonly [Path, object, readonly string[]])[] = [
  ['/v1/pods', { spec: { containers: [] } }, ['spec.containers: Required value']],
  [
    '/v1/pods',
    { spec: { containers: [{ name: 'A', image: '' }] } },
    [
      'spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric ' +
        "characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', " +
        "regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.containers[0].image: Required value',
    ],
  ],
  [
    '/v1/pods',
    { spec: { ...spec(), restartPolicy: 'Sometimes' } },
    ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
  ],
  [
    '/v1/pods',
    { spec: spec({ ports: [{ containerPort: 70_000 }], volumeMounts: [{ name: 'v', mountPath: '/v' }] }) },
    [
      'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      'spec.containers[0].volumeMounts[0].name: Not found: "v"',
    ],
  ],
  [
    '/v1/pods',
    { spec: spec({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }) },
    ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
  ],
  ['/v1/services', { spec: {} }, ['spec.ports: Required value']],
  [
    '/v1/services',
    { spec: { type: 'Magic', ports: [{ port: 0 }] } },
    [
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  ],
  ['/v1/services', { spec: { type: 'ExternalName' } }, ['spec.externalName: Required value']],
  [
    '/v1/configmaps',
    { data: { 'a b': 'x' } },
    [
      "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
        "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ],
  ],
  ['/v1/secrets', { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } }, ['data[tls.key]: Required value']],
  [
    'coordination.k8s.io/v1/leases',
    { spec: { leaseDurationSeconds: 0 } },
    ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
  ],
  [
    'apps/v1/deployments',
    { spec: workload({ replicas: -1, selector: { matchLabels: { app: 'b' } } }) },
    [
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ],
  ],
  [
    'apps/v1/replicasets',
    { spec: workload({ selector: {} }) },
    ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  ],
  [
    '/v1/events',
    { involvedObject: { namespace: 'x' } },
    ['involvedObject.namespace: Invalid value: "x": does not match event.namespace'],
  ],
];

for (const [path, object, expected] of refused) {
  test(`the strategy of ${path} rejects ${JSON.stringify(object).slice(0, 80)}`, () => {
    assert.deepEqual(
      causes(() => resource(path).create({ ...object, metadata: key }, context)),
      expected,
    );
  });
}

const unchangeable: readonly (readonly [Path, object, (draft: JsonDraft) => void, readonly string[]])[] = [
  [
    '/v1/configmaps',
    { immutable: true, data: { k: 'v' } },
    (draft) => Object.assign(draft, { data: { k: 'w' } }),
    ['data: Forbidden: field is immutable when `immutable` is set'],
  ],
  [
    '/v1/secrets',
    { type: 'Opaque' },
    (draft) => Object.assign(draft, { type: 'other' }),
    ['type: Invalid value: "other": field is immutable'],
  ],
  [
    '/v1/services',
    { spec: { ports: [{ port: 80 }] } },
    (draft) => Object.assign(objectAt(draft, 'spec'), { clusterIP: '10.0.9.9', clusterIPs: ['10.0.9.9'] }),
    ['spec.clusterIPs[0]: Invalid value: ["10.0.9.9"]: may not change once set'],
  ],
  [
    'apps/v1/deployments',
    { spec: workload() },
    (draft) => {
      objectAt(draft, 'spec')['selector'] = { matchLabels: { app: 'b' } };
      objectAt(draft, 'spec', 'template', 'metadata')['labels'] = { app: 'b' };
    },
    ['spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable'],
  ],
];

for (const [path, object, change, expected] of unchangeable) {
  test(`the strategy of ${path} rejects an update: ${expected.join()}`, () => {
    const kind = resource(path);
    kind.create({ ...object, metadata: key }, context);
    assert.deepEqual(
      causes(() => kind.update(key, edited(change), context)),
      expected,
    );
  });
}

test('reports only the first 1,000 errors of an Ingress with 30,000 invalid hosts', () => {
  const rules = Array.from({ length: 30_000 }, () => ({ host: '*' }));
  const found = causes(() =>
    resource('networking.k8s.io/v1/ingresses').create({ metadata: key, spec: { rules } }, context),
  );
  assert.equal(found.length, 1001);
});

test('sets the defaults of a Pod like a kube-apiserver', () => {
  const created = resource('/v1/pods').create(
    { metadata: key, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
    context,
  );
  assert.deepEqual(structuredClone(created['spec']), {
    containers: [
      {
        name: 'c',
        image: 'nginx',
        imagePullPolicy: 'Always',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ],
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  assert.deepEqual(created['status'], { phase: 'Pending', qosClass: 'BestEffort' });
});

test('an image with a tag gets the pull policy IfNotPresent, and limits become the default requests', () => {
  const pod = resource('/v1/pods').create(
    { metadata: key, spec: spec({ resources: { limits: { cpu: '1', memory: '1Gi' } } }) },
    context,
  );
  const [container] = objectsAt(pod, 'spec', 'containers');
  assert.equal(container?.['imagePullPolicy'], 'IfNotPresent');
  assert.deepEqual(valueAt(container, 'resources', 'requests'), { cpu: '1', memory: '1Gi' });
  assert.equal(stringAt(pod, 'status', 'qosClass'), 'Guaranteed');
});

test('sets the defaults of a Deployment like a kube-apiserver', () => {
  const created = resource('apps/v1/deployments').create({ metadata: key, spec: workload() }, context);
  const { template: _, selector: __, ...filled } = objectAt(created, 'spec');
  assert.deepEqual(structuredClone(filled), {
    progressDeadlineSeconds: 600,
    replicas: 1,
    revisionHistoryLimit: 10,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
  });
  assert.equal(stringAt(created, 'spec', 'template', 'spec', 'restartPolicy'), 'Always');
});

test('assigns a unique address to each Service, preserves it in updates, and rejects a requested address that is in use', () => {
  const services = resource('/v1/services');
  const first = services.create(service('a'), context);
  const second = services.create(service('b'), context);
  assert.deepEqual(structuredClone(first['spec']), {
    clusterIP: '10.96.0.11',
    clusterIPs: ['10.96.0.11'],
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
  });
  assert.equal(stringAt(second, 'spec', 'clusterIP'), '10.96.0.12');
  const replaced = services.update(key, () => service('a', { selector: { app: 'x' } }), context);
  assert.equal(stringAt(replaced, 'spec', 'clusterIP'), '10.96.0.11');
  assert.deepEqual(
    causes(() => services.create(service('c', { clusterIP: '10.96.0.11' }), context)),
    [
      'spec.clusterIPs: Invalid value: ["10.96.0.11"]: failed to allocate IP 10.96.0.11: provided IP is already allocated',
    ],
  );
  const headless = services.create(service('d', { clusterIP: 'None' }), context);
  assert.equal(stringAt(headless, 'spec', 'clusterIP'), 'None');
  const node = services.create(service('e', { type: 'NodePort' }), context);
  assert.equal(objectsAt(node, 'spec', 'ports')[0]?.['nodePort'], 30_000);
});

test('a Secret stores stringData as data', () => {
  const secret = resource('/v1/secrets').create({ metadata: key, stringData: { password: 'x' } }, context);
  assert.equal(secret['stringData'], undefined);
  assert.deepEqual(structuredClone(secret['data']), { password: 'eA==' });
  assert.equal(secret['type'], 'Opaque');
});

test('a Namespace is Active and has its name as a label', () => {
  const namespace = resource('/v1/namespaces').create({ metadata: { name: 'x' } }, context);
  assert.deepEqual(structuredClone(namespace['spec']), { finalizers: ['kubernetes'] });
  assert.deepEqual(structuredClone(namespace['status']), { phase: 'Active' });
  assert.equal(namespace.metadata.labels?.['kubernetes.io/metadata.name'], 'x');
});

test('rejects an update of a Lease without a resourceVersion', () => {
  const leases = resource('coordination.k8s.io/v1/leases');
  leases.create({ metadata: key, spec: { holderIdentity: 'x' } }, context);
  assert.deepEqual(
    causes(() => leases.update(key, () => ({ metadata: key, spec: {} }), context)),
    ['metadata.resourceVersion: Invalid value: 0: must be specified for an update'],
  );
});

const rows: readonly (readonly [Path, object, readonly unknown[]])[] = [
  ['/v1/configmaps', { data: { a: '', b: '' } }, ['a', 2, '5m']],
  ['/v1/secrets', { type: 'Opaque', data: { a: '' } }, ['a', 'Opaque', 1, '5m']],
  ['/v1/namespaces', { status: { phase: 'Active' } }, ['a', 'Active', '5m']],
  ['coordination.k8s.io/v1/leases', { spec: { holderIdentity: 'me' } }, ['a', 'me', '5m']],
  [
    '/v1/services',
    {
      spec: {
        type: 'NodePort',
        clusterIP: '10.96.0.9',
        ports: [{ port: 80, nodePort: 30_001, protocol: 'TCP' }],
        selector: { app: 'x' },
      },
    },
    ['a', 'NodePort', '10.96.0.9', '<none>', '80:30001/TCP', '5m', 'app=x'],
  ],
  [
    '/v1/pods',
    { spec: spec(), status: { phase: 'Pending' } },
    ['a', '0/1', 'Pending', '0', '5m', '<none>', '<none>', '<none>', '<none>'],
  ],
  [
    '/v1/pods',
    {
      spec: { ...spec(), nodeName: 'n' },
      status: {
        phase: 'Running',
        podIPs: [{ ip: '10.1.1.1' }],
        containerStatuses: [
          { name: 'c', ready: false, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } },
        ],
      },
    },
    ['a', '0/1', 'CrashLoopBackOff', '3', '5m', '10.1.1.1', 'n', '<none>', '<none>'],
  ],
  [
    'apps/v1/deployments',
    { spec: workload({ replicas: 2 }), status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 } },
    ['a', '1/2', 2, 1, '5m', 'c', 'nginx:1', 'app=a'],
  ],
  [
    'apps/v1/replicasets',
    { spec: workload({ replicas: 2 }), status: { replicas: 2, readyReplicas: 1 } },
    ['a', 2, 2, 1, '5m', 'c', 'nginx:1', 'app=a'],
  ],
  [
    '/v1/events',
    {
      type: 'Warning',
      reason: 'Failed',
      message: 'no\n',
      involvedObject: { kind: 'Pod', name: 'p' },
      source: { component: 'kubelet', host: 'n' },
      lastTimestamp: '2026-01-01T00:04:00Z',
      firstTimestamp: '2026-01-01T00:00:00Z',
      count: 4,
    },
    ['60s', 'Warning', 'Failed', 'pod/p', '', 'kubelet, n', 'no', '5m', 4, 'a'],
  ],
];

for (const [path, object, cells] of rows) {
  test(`a row of ${path} starts with ${cells.slice(0, 5).join(' ')}`, () => {
    const { definition } = resource(path);
    const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
    const { apiVersion, kind } = definition;
    const row = definition.strategy.cells({ ...object, apiVersion, kind, metadata }, new Date('2026-01-01T00:05:00Z'));
    assert.deepEqual(row, cells);
    assert.equal(row.length, definition.columns.length);
  });
}
