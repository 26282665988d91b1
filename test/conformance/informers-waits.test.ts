import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isReady } from '@kubewright/api';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Deployment } from '@kubewright/api/apps/v1';
import { Job } from '@kubewright/api/batch/v1';
import { ConfigMap, Pod, Service } from '@kubewright/api/core/v1';
import { crdsFor } from '@kubewright/api/metadata';
import type { Cluster } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { connectTo, hasCode, startTeams } from './cached-cluster.js';
import { Hall, Rack } from './watched-kinds.js';

const namespace = 'team-a';
const podSpec = { containers: [{ name: 'main', image: 'example.com/main' }] };

describe('waiting for the state of an object', () => {
  let env: TestEnvironment;
  let cluster: Cluster;
  before(async () => {
    env = await startTeams();
    cluster = await connectTo(env);
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });

  test('[CG-119, CG-249] the cache waits for the creation and for the deletion of an object, and leaves no informer open', async () => {
    const { cache } = cluster;
    const key = { namespace, name: 'awaited' };
    const made = cache.until(ConfigMap, key, () => true, { timeout: '30s' });
    const filled = cache.until(ConfigMap, key, ({ data }) => data?.step === '2', { timeout: '30s' });
    const object = await env.client.create(new ConfigMap({ metadata: key, data: { step: '1' } }));
    assert.equal((await made).metadata.uid, object.metadata.uid);
    await env.client.patch(object, (draft) => {
      draft.data = { step: '2' };
    });
    assert.equal((await filled).data?.step, '2');
    const deletion = cache.untilDeleted(object, { timeout: '30s' });
    await env.client.delete(object);
    await deletion;
    await cache.untilDeleted(object, { timeout: '30s' });
    assert.deepEqual(cache.informers(), []);
  });

  test('[CG-119] a wait fails after its timeout, and ends immediately when its signal is aborted', async () => {
    const { cache } = cluster;
    const key = { namespace, name: 'never' };
    await assert.rejects(
      cache.until(ConfigMap, key, () => true, { timeout: '50ms' }),
      hasCode('WAIT_TIMEOUT', /ConfigMap team-a\/never/),
    );
    const stop = new AbortController();
    const given = assert.rejects(
      cache.until(ConfigMap, key, () => true, { signal: stop.signal }),
      /given up/,
    );
    stop.abort(new Error('given up'));
    await given;
    assert.deepEqual(cache.informers(), []);
  });

  test('[CG-249] isReady returns true for a CustomResourceDefinition when it is established', async () => {
    const [definition] = crdsFor([Hall, Rack]);
    assert.ok(definition);
    const established = cluster.cache.until(CustomResourceDefinition, { name: definition.metadata.name }, isReady, {
      timeout: '30s',
    });
    await env.client.create(definition);
    const { status } = await established;
    assert.ok(status?.conditions?.some(({ type, status: is }) => type === 'Established' && is === 'True'));
  });

  test('[CG-249] isReady returns false for new Pods, Jobs, Deployments, and LoadBalancer Services, and true for ClusterIP Services and complete Jobs', async () => {
    const labels = { app: 'idle' };
    const objects = [
      new Pod({ metadata: { namespace, name: 'idle' }, spec: podSpec }),
      new Job({
        metadata: { namespace, name: 'idle' },
        spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
      }),
      new Deployment({
        metadata: { namespace, name: 'idle' },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
      }),
      new Service({ metadata: { namespace, name: 'balanced' }, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
    ];
    for (const object of objects) {
      const made = await env.client.create(object);
      assert.equal(isReady(made), false, made.kind);
    }
    const key = { namespace, name: 'plain' };
    const ready = cluster.cache.until(Service, key, isReady, { timeout: '30s' });
    await env.client.create(new Service({ metadata: key, spec: { ports: [{ port: 80 }] } }));
    await ready;
    const job = { namespace, name: 'idle' };
    const complete = cluster.cache.until(Job, job, isReady, { timeout: '30s' });
    await env.client.patchStatus(await env.client.get(Job, job), (status) => {
      const now = '2030-01-01T00:00:00Z';
      const condition = { status: 'True', reason: 'Done', message: '', lastTransitionTime: now } as const;
      status.startTime = now;
      status.completionTime = now;
      status.succeeded = 1;
      status.uncountedTerminatedPods = {};
      status.conditions = [
        { ...condition, type: 'SuccessCriteriaMet' },
        { ...condition, type: 'Complete' },
      ];
    });
    assert.equal((await complete).status?.succeeded, 1);
  });
});
