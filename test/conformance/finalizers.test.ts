import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hasFinalizer, keyOf } from '@kubewright/api';
import { Finalizers, isNotFound, Result, type Reconciler } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Pool, pool } from './reconcile-kinds.js';

const drain = 'reconcile.example.com/drain';
const address = 'reconcile.example.com/address';

describe('the finalizers of a controller', () => {
  let env: TestEnvironment;
  before(async () => {
    env = await startEnvironment({ kinds: [Pool] });
  });
  after(() => env[Symbol.asyncDispose]());

  test('[CU-37, CU-38, CU-40] an object has all finalizers before it is reconciled, and each finalizer is removed when its handler is done', async () => {
    const seen: string[] = [];
    let drained = false;
    const finalizers = new Finalizers<Pool>()
      .add(drain, async () => {
        seen.push('drain');
        return drained ? Result.done() : Result.requeueAfter('1h');
      })
      .add(address, async ({ spec }) => {
        seen.push(`address of ${spec.size}`);
        return Result.done();
      });
    const reconciler: Reconciler<Pool> = {
      finalizers,
      reconcile: async ({ metadata }) => {
        seen.push(`reconcile with ${metadata.finalizers?.length}`);
        return Result.done();
      },
    };
    const manager = env.manager().control({ for: Pool, name: 'pools' }, reconciler);
    await manager.start();
    const made = await env.client.create(pool('finalized'));
    await env.until(made, ({ metadata }) => metadata.finalizers?.length === 2);
    await env.client.delete(made);
    const waiting = await env.until(made, (now) => !hasFinalizer(now, address));
    assert.deepEqual(waiting.metadata.finalizers, [drain]);
    drained = true;
    await env.client.patch(waiting, (draft) => void (draft.spec.size = 2));
    await env.untilDeleted(made);
    assert.equal(seen[0], 'reconcile with 2');
    assert.deepEqual(
      seen.filter((what) => what.startsWith('address')),
      ['address of 1'],
    );
    await manager.stop();
  });

  test('[CU-41, CU-42] a finalizer stays on the object until its handler succeeds, and env.reconcile reports all failures', async () => {
    let healthy = false;
    const fails = async (): Promise<Result> => {
      if (healthy) return Result.done();
      throw new Error('out of reach');
    };
    const reconciler: Reconciler<Pool> = {
      finalizers: new Finalizers<Pool>().add(drain, fails).add(address, fails),
      reconcile: async () => Result.done(),
    };
    const made = await env.client.create(pool('failing'));
    const first = await env.reconcile(reconciler, made);
    assert.deepEqual(first.object.metadata.finalizers, [drain, address]);
    await env.client.delete(first.object);
    const second = await env.reconcile(reconciler, made);
    assert.match(String(second.error), /2 finalizers failed: .*drain: out of reach; .*address: out of reach/);
    assert.deepEqual(second.object.metadata.finalizers, [drain, address]);
    healthy = true;
    const third = await env.reconcile(reconciler, made);
    assert.deepEqual([third.error, third.result], [undefined, Result.done()]);
    await assert.rejects(env.client.get(Pool, keyOf(made)), isNotFound);
  });
});
