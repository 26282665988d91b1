import assert from 'node:assert/strict';
import { get } from 'node:https';
import { after, before, test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { ConfigMap, type Service, ServiceAccount } from '@kubewright/api/core/v1';
import { ClusterRoleBinding } from '@kubewright/api/rbac/v1';
import { installManifest, manifestsOf, type ManifestsInput } from '@kubewright/cli';
import { Manager, type ManagerOptions, Result } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { permissionsOf } from '@kubewright/runtime/permissions';
import { parseMetrics, type TestEnvironment } from '@kubewright/testing';
import { parse, parseAllDocuments } from 'yaml';
import { startEnvironment } from '../server/start-environment.js';

const NAME = 'guarded-operator';
const NAMESPACE = `${NAME}-system`;
const IN_POD = { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, args: [] };

/** Returns an operator with the default metrics options, as in a new project. */
function operator(options: ManagerOptions): Manager {
  const manager = new Manager({ leaderElection: NAME, ...options });
  manager.control({ for: ConfigMap, name: 'configs' }, async () => Result.done());
  return manager;
}
function generated(): ReadonlyMap<string, string> {
  const described = operator({ settings: { env: {}, args: [] } }).describe();
  const settings: ManifestsInput['settings'] = { name: NAME, image: NAME, namespace: NAMESPACE, namespaced: false };
  return manifestsOf({ settings, crds: [], operator: described, permissions: permissionsOf(described) });
}
function requested(port: number, token?: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/metrics', agent: false, rejectUnauthorized: false, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    }).on('error', reject);
  });
}

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment();
});
after(() => env[Symbol.asyncDispose]());

async function tokenOf(name: string): Promise<string> {
  const account = new ServiceAccount({ metadata: { name, namespace: NAMESPACE } });
  const { status } = await env.client.subresource(account, 'token').create({ spec: { audiences: [] } });
  return status?.token ?? '';
}

test('an operator with its generated roles serves metrics over HTTPS, only to accounts with the role metrics-reader', async () => {
  const files = generated();
  const objects = parseAllDocuments(installManifest(files)).map((each) => each.toJS() as KubeObject);
  for (const object of objects) if (object.kind !== 'Deployment') await env.client.apply(object);
  for (const name of ['prometheus', 'stranger']) {
    await env.client.create(new ServiceAccount({ metadata: { name, namespace: NAMESPACE } }));
  }
  const reader = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${NAME}-metrics-reader` };
  await env.client.create(
    new ClusterRoleBinding({
      metadata: { name: 'prometheus-reads-metrics' },
      roleRef: reader,
      subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: NAMESPACE }],
    }),
  );
  const connection = { ...env.connection, token: await tokenOf(`${NAME}-controller-manager`), namespace: NAMESPACE };
  await using manager = operator({
    connection,
    metrics: { host: '127.0.0.1', port: 0 },
    settings: IN_POD,
    leaderElection: { name: NAME, namespace: NAMESPACE },
  });
  await manager.start();
  const { port } = manager.metricsServer.address ?? assert.fail('metrics are not served');
  const [prometheus, stranger] = [await tokenOf('prometheus'), await tokenOf('stranger')];
  assert.equal((await requested(port)).status, 401);
  assert.equal((await requested(port, 'unknown')).status, 401);
  assert.equal((await requested(port, stranger)).status, 403);
  await untilBound('prometheus');
  const metrics = await requested(port, prometheus);
  assert.equal(metrics.status, 200, metrics.text);
  assert.ok(parseMetrics(metrics.text).has('controller_runtime_reconcile_total'));
});

/** Waits until an account may read the metrics. Authorizers apply a new binding with a delay, and the operator caches denials. */
async function untilBound(account: string): Promise<void> {
  const user = `system:serviceaccount:${NAMESPACE}:${account}`;
  const spec = { user, nonResourceAttributes: { path: '/metrics', verb: 'get' } };
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const transport = new Transport(env.connection);
  const isAllowed = async (): Promise<boolean> => {
    const { status } = await transport.request<{ readonly status: { readonly allowed: boolean } }>({
      method: 'POST',
      path,
      body,
    });
    return status.allowed;
  };
  while (!(await isAllowed()));
  await transport.close();
}

test('the generated manifests point Prometheus to the protected port and allow traffic only from namespaces with the label metrics: enabled', () => {
  const files = generated();
  const document = (path: string): Record<string, never> => parse(files.get(path) ?? assert.fail(path)) as never;
  const { spec } = document('config/manager/metrics_service.yaml') as unknown as Service;
  assert.deepEqual(spec?.ports, [{ name: 'https', port: 8443, targetPort: 'metrics' }]);
  const monitor = document('config/prometheus/monitor.yaml') as unknown as {
    readonly spec: { readonly endpoints: readonly object[] };
  };
  assert.deepEqual(monitor.spec.endpoints, [
    {
      port: 'https',
      path: '/metrics',
      scheme: 'https',
      bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
      tlsConfig: { insecureSkipVerify: true },
    },
  ]);
  const { resources } = document('config/default/kustomization.yaml') as unknown as { readonly resources: unknown };
  assert.deepEqual(resources, ['../crd', '../rbac', '../manager', '../network-policy']);
  assert.match(files.get('config/network-policy/allow-metrics-traffic.yaml') ?? '', /metrics: enabled[^]*port: 8443/);
  assert.match(files.get('config/manager/manager.yaml') ?? '', /containerPort: 8443/);
});
