import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Foo } from '@kubewright/example-foo';
import type { Cluster } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { connectTo, startTeams } from './cached-cluster.js';

const foo = (name: string): Foo =>
  new Foo({ metadata: { name, namespace: 'team-a' }, spec: { deploymentName: 'web', replicas: 1 } });

describe('an informer of a kind whose definition is created and deleted', () => {
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

  test('an informer waits for the definition, reports all objects as deleted when the definition is deleted, and recovers when the definition is recreated', async () => {
    const { cache, client } = cluster;
    await using informer = await cache.informer(Foo, { waitForSync: false });
    const reported: string[] = [];
    const checks = new Set<() => void>();
    const ended = new AbortController();
    const updates = (async (): Promise<void> => {
      for await (const { type, object } of informer.changes({ signal: ended.signal })) {
        reported.push(`${type} ${object.metadata.name}`);
        for (const check of checks) check();
      }
    })();
    const happened = (what: string): Promise<void> =>
      new Promise((resolve) => {
        const check = (): void => {
          if (reported.includes(what)) resolve();
        };
        checks.add(check);
        check();
      });
    await env.install({ kinds: [Foo] });
    await env.client.create(foo('first'));
    await happened('added first');
    await env.uninstall({ kinds: [Foo] });
    await env.install({ kinds: [Foo] });
    const second = await env.client.create(foo('second'));
    await Promise.all([happened('deleted first'), happened('added second')]);
    assert.equal((await client.get(Foo, second.metadata)).metadata.uid, second.metadata.uid);
    ended.abort();
    await updates;
  });
});
