import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CustomResource, dynamicKind, Field, Kind, type KindRef } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import { type Connection, type ManagerOptions, Result } from '@kubewright/runtime';
import { Transport } from '@kubewright/runtime/internal';
import { FakeClock, NetworkProxy, type TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { RecordedLog } from './recorded-log.js';

class WidgetSpec {
  @Field.string() text!: string;
}
@Kind({ group: 'refusals.example.com', version: 'v1' })
class Widget extends CustomResource(WidgetSpec) {}

let env: TestEnvironment;
let transport: Transport;

before(async () => {
  env = await startEnvironment();
  transport = new Transport(env.connection);
});
after(async () => {
  await transport.close();
  await env[Symbol.asyncDispose]();
});

/** Starts a manager with a controller of Widgets without waiting for the start. */
function starting(options: ManagerOptions, kind: KindRef = Widget) {
  const log = new RecordedLog();
  const manager = env.manager({ logger: log, ...options });
  manager.control({ for: kind, name: 'widgets' }, () => Promise.resolve(Result.done()));
  return { log, manager, started: manager.start() };
}

/** Resolves when the condition is true. Checks the condition at each turn of the event loop, for up to one minute. */
async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!isSo()) {
    assert.ok(performance.now() < end, 'the expected condition did not become true');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('the manager reports a kind without its CRD once, and starts when the CRD is installed', async () => {
  const { log, manager, started } = starting({});
  await until(() => log.problems.length > 0);
  assert.match(
    log.problems[0] ?? '',
    /^error cannot list widgets\.refusals\.example\.com \(Widget of refusals\.example\.com\/v1\) as .+ at https:\/\/127\.0\.0\.1:\d+: .+; install a CustomResourceDefinition that serves this version; trying again$/,
  );
  const { ready, reasons } = manager.readiness();
  assert.equal(ready, false);
  assert.match(reasons[0] ?? '', /^controller 'widgets' cannot list widgets/);
  await env.client.apply(crdFor(Widget) as never);
  await started;
  assert.deepEqual(manager.readiness(), { ready: true, reasons: [] });
  assert.equal(log.problems.length, 1, log.problems.join('\n'));
  assert.ok(log.lines.includes('info watch of widgets.refusals.example.com recovered'));
  await manager.stop();
  assert.equal(manager.readiness().ready, false);
});

test('the manager reports a dynamic kind that the server does not serve', async () => {
  const kind = dynamicKind('late.example.com/v1', 'Latecomer');
  const { log, manager, started } = starting({}, kind);
  await until(() => log.problems.length > 0);
  assert.match(log.problems[0] ?? '', /^error controller 'widgets' cannot start its informers: .*Latecomer/);
  assert.equal(manager.readiness().ready, false);
  await manager.stop();
  await assert.rejects(started, { code: 'STOPPED' });
});

test('the manager reports the user and the missing RBAC rule of a forbidden list, and starts when the rule is granted', async () => {
  await env.client.apply(crdFor(Widget) as never);
  const account = { name: 'watcher', namespace: 'default' };
  const path = `/api/v1/namespaces/default/serviceaccounts`;
  await transport.request({ method: 'POST', path, body: { metadata: account } });
  const { status } = await transport.request<{ status: { token: string } }>({
    method: 'POST',
    path: `${path}/watcher/token`,
    body: { spec: {} },
  });
  const { log, manager, started } = starting({ connection: { ...env.connection, token: status.token } });
  await until(() => log.problems.length > 0);
  assert.match(
    log.problems[0] ?? '',
    /^error cannot list widgets.* as user 'system:serviceaccount:default:watcher' at /,
  );
  assert.match(
    log.problems[0] ?? '',
    /bind a role with the rule \{ apiGroups: \["refusals\.example\.com"\], resources: \["widgets"\], verbs: \["get", "list", "watch"\] \} to this user/,
  );
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await transport.request({
    method: 'POST',
    path: `${rbac}/clusterroles`,
    body: {
      metadata: { name: 'widget-watcher' },
      rules: [{ apiGroups: ['refusals.example.com'], resources: ['widgets'], verbs: ['get', 'list', 'watch'] }],
    },
  });
  await transport.request({
    method: 'POST',
    path: `${rbac}/clusterrolebindings`,
    body: {
      metadata: { name: 'widget-watcher' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'widget-watcher' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  });
  await started;
  assert.equal(manager.readiness().ready, true);
  await manager.stop();
});

test('the manager reports credentials that the server rejects', async () => {
  const { log, manager, started } = starting({ connection: { ...env.connection, token: 'of-another-cluster' } });
  await until(() => log.problems.length > 0);
  assert.match(
    log.problems[0] ?? '',
    /^error cannot list widgets.* as the bearer of a token at .*Unauthorized; the server rejected the credentials: .*renew them/,
  );
  await manager.stop();
  await assert.rejects(started, { code: 'STOPPED' });
});

test('the manager does not trust a server whose certificate has an unknown authority, and reports how to configure the connection', async () => {
  const { ca: _, ...unchecked } = env.connection;
  const { log, manager, started } = starting({ connection: unchecked });
  await until(() => log.problems.length > 0);
  assert.match(
    log.problems[0] ?? '',
    /^error cannot list widgets.*; configure the connection with the certificate authority that signed the server certificate/,
  );
  await manager.stop();
  await assert.rejects(started, { code: 'STOPPED' });
});

test('the manager reports an unreachable API server immediately and then every minute, and the start fails after the syncTimeout', async () => {
  const network = await NetworkProxy.open(env.connection);
  const nowhere: Connection = network.connection;
  await network.close();
  const clock = new FakeClock();
  const { log, manager, started } = starting({ connection: nowhere, clock });
  const refused = assert.rejects(started, (error: Error & { code?: string }) => {
    assert.equal(error.code, 'NOT_SYNCED');
    assert.match(
      error.message,
      /^cannot start: not ready after 120 s: controller 'widgets' cannot list widgets.*check that an API server answers at https:/,
    );
    return true;
  });
  await until(() => log.problems.length > 0);
  await clock.advance('2m');
  await refused;
  const [begin = '', ...counts] = log.problems;
  assert.match(begin, /^error the API server at https:\S+ is not responding/);
  assert.equal(counts.length, 2, 'one line each minute');
  for (const count of counts) assert.match(count, /^warn the API server at https:\S+ is still not responding/);
  assert.equal(manager.readiness().ready, false);
});
