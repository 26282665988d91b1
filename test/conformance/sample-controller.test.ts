import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { Deployment } from '@kubewright/api/apps/v1';
import { Foo, FooController } from '@kubewright/example-foo';
import { isNotOwned } from '@kubewright/runtime';
import type { Reconciled, TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

describe('the sample controller', () => {
  let env: TestEnvironment;
  before(async () => {
    env = await startEnvironment({ kinds: [Foo] });
  });
  after(() => env[Symbol.asyncDispose]());

  const create = (name: string): Promise<Foo> =>
    env.client.create(
      new Foo({ metadata: { name, namespace: 'default' }, spec: { deploymentName: `${name}-web`, replicas: 2 } }),
    );
  const reconcile = (foo: Foo): Promise<Reconciled<Foo>> =>
    env.reconcile(new FooController(env.client, env.events), foo);
  const deploymentOf = (foo: Foo): Promise<Deployment> =>
    env.client.get(Deployment, { name: foo.spec.deploymentName, namespace: 'default' });

  test('[CG-204] FooController applies the Deployment first, and then updates the status', async () => {
    const foo = await create('new');
    const { error, writes } = await reconcile(foo);
    assert.equal(error, undefined);
    assert.deepEqual(writes.map(described), ['apply Deployment new-web', 'patch Foo new status']);
    assert.equal((await deploymentOf(foo)).spec.replicas, 2);
    assert.equal((await env.read(foo)).status?.availableReplicas, 0);
  });

  test('[CG-205] FooController writes only the status if the Deployment is up to date', async () => {
    const foo = await create('same');
    await reconcile(foo);
    await env.client.patchStatus(await deploymentOf(foo), (status) => {
      Object.assign(status, { replicas: 2, readyReplicas: 1, availableReplicas: 1 });
    });
    const { writes } = await reconcile(foo);
    assert.deepEqual(writes.map(described), ['patch Foo same status']);
    assert.deepEqual(
      (await reconcile(foo)).writes,
      [],
      'the reconcile writes nothing if the status is also up to date',
    );
  });

  test('[CG-206] FooController updates first the Deployment and then the status when the replicas change', async () => {
    const foo = await create('scaled');
    await reconcile(foo);
    await env.client.patch(await env.read(foo), (draft) => {
      draft.spec.replicas = 3;
    });
    await env.client.patchStatus(await deploymentOf(foo), (status) => {
      Object.assign(status, { replicas: 2, readyReplicas: 2, availableReplicas: 2 });
    });
    const { writes } = await reconcile(foo);
    assert.deepEqual(writes.map(described), ['apply Deployment scaled-web', 'patch Foo scaled status']);
    assert.equal((await deploymentOf(foo)).spec.replicas, 3);
  });

  test('[CG-207] FooController fails and writes nothing if the Deployment exists and the Foo does not own it', async () => {
    const labels = { app: 'theirs' };
    const theirs = await env.client.create(
      new Deployment({
        metadata: { name: 'taken-web', namespace: 'default' },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
        },
      }),
    );
    const { error, writes, events } = await reconcile(await create('taken'));
    assert.ok(isNotOwned(error));
    assert.deepEqual(writes, []);
    assert.deepEqual(
      events.map(({ reason }) => reason),
      ['ErrResourceExists'],
    );
    assert.deepEqual((await env.read(theirs)).spec, theirs.spec);
  });
});

function described({
  verb,
  object,
  subresource,
}: {
  readonly verb: string;
  readonly object: KubeObject;
  readonly subresource?: string | undefined;
}): string {
  return [verb, object.kind, object.metadata.name, ...(subresource === undefined ? [] : [subresource])].join(' ');
}
