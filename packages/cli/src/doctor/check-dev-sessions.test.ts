import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lease } from '@kubewright/api/coordination/v1';
import { TestEnvironment } from '@kubewright/testing';
import { KubeApi } from '../deploy/kube-api.js';
import { SessionLease } from '../dev-sessions/session-lease.js';
import { checkDevSessions } from './check-dev-sessions.js';

test('checkDevSessions reports running sessions of kubewright dev, and warns about sessions that were terminated', async () => {
  await using env = await TestEnvironment.start();
  await using api = new KubeApi(env.connection, () => undefined);
  assert.deepEqual(await checkDevSessions(api), []);
  const session = await SessionLease.create(api, 'widget-operator');
  const [running] = await checkDevSessions(api);
  assert.equal(running?.state, 'ok');
  assert.match(running.found, /^'kubewright dev' of .+@.+ \(Lease default\/widget-operator-dev-\w+\) serves webhooks$/);
  const lease = await env.client.live.get(Lease, session);
  await env.client.patch(lease, { merge: { spec: { renewTime: '2000-01-01T00:00:00.000000Z' } } });
  const [ended] = await checkDevSessions(api);
  assert.equal(ended?.state, 'warning');
  assert.match(ended.found, /ended without removing its webhooks$/);
  assert.match(ended.remedy ?? '', /kubewright install/);
});
