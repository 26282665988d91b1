import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { Deployment } from '@kubewright/api/apps/v1';
import { ConfigMap, Namespace, Pod, Service } from '@kubewright/api/core/v1';
import { ClusterRole } from '@kubewright/api/rbac/v1';
import { TestEnvironment } from '@kubewright/testing';
import { selectedServer } from '../selected-server.js';
import { InitialState } from './initial-state.js';

class CrateSpec {
  @Field.int32() size!: number;
}
@Kind({ group: 'pool.example.com', version: 'v1' })
class Crate extends CustomResource(CrateSpec) {}

const finalizers = ['pool.example.com/wait'];
const labels = { app: 'web' };
const container = { name: 'web', image: 'web' };

describe('InitialState', () => {
  let env: TestEnvironment;
  let state: InitialState;
  before(async () => {
    env = await TestEnvironment.start({ server: selectedServer() });
    state = await InitialState.open(env.connection);
  });
  after(async () => {
    await state[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });

  /** Asserts that the server contains only the recorded objects. */
  async function assertRestored(): Promise<void> {
    await using now = await InitialState.open(env.connection);
    assert.deepEqual(
      now.paths.filter((path) => !state.paths.includes(path)),
      [],
    );
  }

  test('changes nothing on an unused server', async () => {
    await state.restore();
    await assertRestored();
  });

  test('deletes namespaces with their objects, regardless of finalizers', async () => {
    const namespace = 'left';
    await env.client.create(new Namespace({ metadata: { name: namespace, finalizers } }));
    await env.client.create(new ConfigMap({ metadata: { name: 'a', namespace, finalizers } }));
    const pod = { metadata: { name: 'a', namespace }, spec: { nodeName: 'node', containers: [container] } };
    await env.client.create(new Pod(pod));
    await env.client.create(new Service({ metadata: { name: 'a', namespace }, spec: { ports: [{ port: 80 }] } }));
    await state.restore();
    await assertRestored();
  });

  test('deletes objects in the namespace default, and objects that controllers created for these objects', async () => {
    const template = { metadata: { labels }, spec: { containers: [container] } };
    const spec = { selector: { matchLabels: labels }, template };
    await env.client.create(new Deployment({ metadata: { name: 'web', namespace: 'default' }, spec }));
    await state.restore();
    await assertRestored();
  });

  test('deletes cluster-scoped objects, first the objects that reject the deletion of other objects', async () => {
    await env.client.create(new ClusterRole({ metadata: { name: 'left', labels, finalizers } }));
    const rejecting = {
      name: 'all.pool.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      clientConfig: { url: 'https://127.0.0.1:9' },
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
    };
    await env.client.create(new ValidatingWebhookConfiguration({ metadata: { name: 'left' }, webhooks: [rejecting] }));
    await state.restore();
    await assertRestored();
  });

  test('deletes definitions with their objects, and waits until their kinds are not served', async () => {
    await env.install({ kinds: [Crate] });
    await env.client.create(
      new Crate({ metadata: { name: 'a', namespace: 'default', finalizers }, spec: { size: 1 } }),
    );
    await state.restore();
    await assertRestored();
    await env.install({ kinds: [Crate] });
    assert.deepEqual(await env.client.live.list(Crate), []);
    await state.restore();
  });

  test('rejects if an object of the server was changed or deleted', async () => {
    const key = { name: 'kube-root-ca.crt', namespace: 'default' };
    const roots = await env.client.live.get(ConfigMap, key);
    await env.client.patch(roots, { merge: { metadata: { labels } } });
    await assert.rejects(state.restore(), /configmaps\/kube-root-ca.crt was changed/);
    await env.client.patch(roots, { merge: { metadata: { labels: null } } });
    await state.restore();
    await env.client.delete(roots);
    await assert.rejects(state.restore(), /configmaps\/kube-root-ca.crt was deleted/);
  });
});
