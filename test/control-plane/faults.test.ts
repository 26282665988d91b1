import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { ApiError } from '@kubewright/api/errors';
import * as foo from '@kubewright/example-foo';
import { Transport } from '@kubewright/runtime/internal';
import { FakeClock, NetworkProxy, TestEnvironment } from '@kubewright/testing';
import { RunningFoo } from './running-foo.js';

let env: TestEnvironment;

before(async () => {
  env = await TestEnvironment.start({ server: 'control-plane', workloads: true, kinds: foo.kinds });
});
after(() => env[Symbol.asyncDispose]());

test('the operator misses no change while the API server is killed and restarted, and is not ready in the meantime', async () => {
  await using operated = await RunningFoo.start(env, 'killed', { connection: env.connection });
  await operated.edit();
  await env.controlPlane.killApiServer();
  const [reason] = await operated.unready();
  assert.match(reason ?? '', /cannot (list|watch) .*: .*; check that an API server answers at https:/);
  await env.controlPlane.restartApiServer();
  await operated.edit();
  await operated.deleteChildren();
  await operated.converged();
});

test('the operator lists again if the API server compacts its history while the operator is disconnected', async () => {
  await using network = await NetworkProxy.open(env.connection);
  await using operated = await RunningFoo.start(env, 'compacted', { connection: network.connection });
  network.partition();
  await operated.edit();
  await operated.deleteChildren();
  // The restart clears the watch cache of the API server, which would still contain the compacted versions.
  await env.controlPlane.compact();
  await env.controlPlane.restartApiServer();
  network.cut();
  await operated.unready();
  network.heal();
  await operated.converged();
});

test('the operator replaces a rejected token when the token function of the connection returns another token', async () => {
  const transport = new Transport(env.connection);
  const inDefault = '/api/v1/namespaces/default';
  const bound = { metadata: { name: 'bound' } };
  await transport.request({ method: 'POST', path: `${inDefault}/secrets`, body: bound });
  const binding = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'operator' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
  };
  await transport.request({
    method: 'POST',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    body: binding,
  });
  const newToken = async (spec: object): Promise<string> => {
    const path = `${inDefault}/serviceaccounts/default/token`;
    const { status } = await transport.request<{ status: { token: string } }>({ method: 'POST', path, body: { spec } });
    return status.token;
  };
  let token = await newToken({ boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 'bound' } });
  await using network = await NetworkProxy.open({ ...env.connection, token: () => Promise.resolve(token) });
  await using operated = await RunningFoo.start(env, 'expired', { connection: network.connection });
  // The deletion of the Secret invalidates the token, which is bound to the Secret. The API server still accepts the token for a while
  // because of its cache, and open streams continue.
  await transport.request({ method: 'DELETE', path: `${inDefault}/secrets/bound` });
  const bearer = new Transport({ ...env.connection, token });
  const status = (): Promise<number> =>
    bearer.request({ method: 'GET', path: inDefault }).then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.status : assert.fail(String(error))),
    );
  await operated.until('the token is refused', async () => (await status()) === 401);
  await bearer.close();
  // Cuts the connections only once, because each cut also breaks requests that the server would answer.
  network.cut();
  await operated.until('the operator reports that the token is refused', () =>
    Promise.resolve(
      operated.manager.readiness().reasons.some((reason) => reason.includes('the server rejected the credentials')),
    ),
  );
  await operated.edit();
  token = await newToken({});
  await operated.converged();
  await transport.close();
});

test('the operator accepts a rotated serving certificate on its next connection', async () => {
  await using network = await NetworkProxy.open(env.connection);
  await using operated = await RunningFoo.start(env, 'rotated', { connection: network.connection });
  const before = await servedFingerprint();
  await env.controlPlane.files.rotateServingCertificate();
  await operated.until('the new certificate is served', async () => (await servedFingerprint()) !== before);
  network.cut();
  await operated.edit();
  await operated.converged();
});

test('the operator recovers from connections that are cut, half closed, slow, or delayed', async () => {
  await using network = await NetworkProxy.open(env.connection);
  await using operated = await RunningFoo.start(env, 'network', { connection: network.connection });
  for (const disturb of [
    () => network.cut(),
    () => network.halfClose(),
    () => network.behave({ delayMs: 20, bytesPerSecond: 200_000 }),
    () => network.cut(),
  ]) {
    disturb();
    await operated.edit();
    await operated.deleteChildren();
    await operated.converged();
  }
});

test('the operator detects a network that silently drops all data, and reconnects when the network recovers', async () => {
  const clock = new FakeClock(new Date());
  await using network = await NetworkProxy.open(env.connection);
  await using operated = await RunningFoo.start(env, 'partitioned', { connection: network.connection, clock });
  network.partition();
  await operated.edit();
  await operated.deleteChildren();
  const [reason] = await operated.unready();
  assert.match(reason ?? '', /cannot (list|watch) /);
  network.heal();
  await operated.converged();
});

/** Returns the fingerprint of the certificate that a new connection receives. */
async function servedFingerprint(): Promise<string> {
  const { hostname, port } = new URL(env.connection.server);
  const socket = connect({ host: hostname, port: Number(port), ca: env.connection.ca });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}
