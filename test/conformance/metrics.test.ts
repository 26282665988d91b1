import assert from 'node:assert/strict';
import { get } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { ConfigMap, ServiceAccount } from '@kubewright/api/core/v1';
import { ClusterRole, ClusterRoleBinding } from '@kubewright/api/rbac/v1';
import { type Logger, type Manager, MetricsServer, PinoLogger, Result } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { parseMetrics, type Sample, type TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

interface TokenRequest {
  readonly status: { readonly token: string };
}

describe('metrics', () => {
  let env: TestEnvironment;
  let transport: Transport;
  let logger: Logger;
  before(async () => {
    env = await startEnvironment();
    transport = new Transport(env.connection);
    logger = await PinoLogger.create({ level: 'silent' });
  });
  after(async () => {
    await transport.close();
    await env[Symbol.asyncDispose]();
  });

  /** Returns a token of a new service account that may read these paths. */
  const tokenOf = async (name: string, nonResourceURLs: readonly string[]): Promise<string> => {
    const { client } = env;
    await client.create(new ServiceAccount({ metadata: { name, namespace: 'default' } }));
    if (nonResourceURLs.length > 0) {
      await client.create(new ClusterRole({ metadata: { name }, rules: [{ verbs: ['get'], nonResourceURLs }] }));
      await client.create(
        new ClusterRoleBinding({
          metadata: { name },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
          subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
        }),
      );
    }
    const { status } = await transport.request<TokenRequest>({
      method: 'POST',
      path: `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    });
    return status.token;
  };

  /** Waits until the authorizer allows the service account to read the path. */
  const untilAllowed = async (account: string, path: string): Promise<void> => {
    const spec = { user: `system:serviceaccount:default:${account}`, nonResourceAttributes: { path, verb: 'get' } };
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
    const review = () =>
      transport.request<{ readonly status: { readonly allowed: boolean } }>({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        body,
      });
    while (!(await review()).status.allowed);
  };

  test('[OT-07] protected metrics require HTTPS, a valid token, and permission for the path', async () => {
    const [scraper, other] = await Promise.all([tokenOf('scraper', ['/metrics', '/version']), tokenOf('other', [])]);
    await using manager = env.manager();
    await using server = new MetricsServer(
      {
        host: '127.0.0.1',
        port: 0,
        protect: true,
        handlers: { '/version': (_request, response) => void response.end('1.2.3') },
      },
      { metrics: manager.metrics, clock: new SystemClock(), logger, transport: async () => transport },
    );
    await server.listen();
    const scrape = (path: string, token?: string) => fetched(`https://127.0.0.1:${server.address?.port}${path}`, token);
    await untilAllowed('scraper', '/version');
    const metrics = await scrape('/metrics', scraper);
    assert.equal(metrics.status, 200);
    parseMetrics(metrics.text);
    assert.equal((await scrape('/metrics')).status, 401);
    assert.equal((await scrape('/metrics', 'no-token-of-anybody')).status, 401);
    assert.equal((await scrape('/metrics', other)).status, 403);
    const version = await scrape('/version', scraper);
    assert.deepEqual([version.status, version.text], [200, '1.2.3']);
  });

  test('the metrics of a manager measure its reconciles, queue, requests, and informers', async () => {
    const manager = env.manager();
    manager.control({ for: ConfigMap, name: 'configs', namespaces: ['default'] }, async (map) => {
      manager.events.normal(map, 'Seen', 'it is there');
      return Result.done();
    });
    await env.client.create(new ConfigMap({ metadata: { name: 'measured', namespace: 'default' }, data: { a: 'b' } }));
    await manager.start();
    await env.settled();
    const samples = await samplesOf(manager);
    const value = (name: string, labels: Readonly<Record<string, string>> = {}): number =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, desired]) => sample.labels[label] === desired))
        .reduce((sum, sample) => sum + sample.value, 0);
    const controller = { controller: 'configs' };
    const done = value('controller_runtime_reconcile_total', { ...controller, result: 'success' });
    assert.ok(done >= 1);
    assert.equal(value('controller_runtime_reconcile_time_seconds_count', controller), done);
    assert.equal(value('controller_runtime_active_workers', controller), 0);
    assert.equal(value('workqueue_adds_total', { name: 'configs', ...controller }), done);
    assert.equal(value('workqueue_depth', controller), 0);
    assert.ok(value('kubewright_reconcile_causes_total', { ...controller, cause: 'added' }) >= 1);
    const { host } = new URL(env.connection.server);
    assert.ok(value('rest_client_requests_total', { code: '200', method: 'GET', host }) >= 1);
    const informer = { group: '', version: 'v1', kind: 'ConfigMap' };
    assert.ok(value('kubewright_informer_objects', informer) >= 1);
    assert.ok(value('kubewright_informer_bytes', informer) > 100);
    assert.equal(value('kubewright_informer_state', { ...informer, state: 'watching' }), 1);
    assert.equal(value('kubewright_informer_synced', informer), 1);
    assert.equal(value('kubewright_informer_lists_total', informer), 1);
    assert.equal(value('kubewright_informer_waiting_changes', informer), 0);
    await manager.stop();
    const afterwards = await samplesOf(manager);
    assert.ok(
      !afterwards.some(({ name }) => name.startsWith('kubewright_informer')),
      'stopped informers have no metrics',
    );
  });
});

async function samplesOf(manager: Manager): Promise<readonly Sample[]> {
  return [...parseMetrics(await manager.metrics.text()).values()].flatMap((family) => family.samples);
}

function fetched(url: string, token: string | undefined): Promise<{ readonly status: number; readonly text: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, rejectUnauthorized: false, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    request.on('error', reject);
  });
}
