import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { machine, type Options, setUp } from '../test-support/controller-bench.js';
import { countAbortControllers } from '../test-support/count-abort-controllers.js';
import { Result } from './reconciler/result.js';

const RECONCILES = 100;

/** Counts the promises that are created until `stop` is called. */
function countPromises() {
  let created = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'PROMISE') created++;
    },
  });
  hook.enable();
  return {
    stop: (): number => {
      hook.disable();
      return created;
    },
  };
}

/** Reconciles one object `RECONCILES` times, and returns the count divided by `RECONCILES`. */
async function countedPerReconcile(count: () => { readonly stop: () => number }, options: Options): Promise<number> {
  let calls = 0;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const key = { namespace: 'default', name: 'a' };
  const { runner, machines, settle } = await setUp(
    async () => {
      calls++;
      if (calls < RECONCILES) runner.enqueue(key);
      else end();
      return Result.done();
    },
    options,
    { conditions: { patchStatus: async () => assert.fail('the status does not change') } },
  );
  machines.put({ ...machine('a', {}, { generation: 1 }), status: { observedGeneration: 1 } } as KubeObject);
  const counting = count();
  await ended;
  const counted = counting.stop();
  await settle();
  assert.equal(calls, RECONCILES);
  return counted / RECONCILES;
}

test('a reconcile without a write creates at most 4 promises', async () => {
  const promises = await countedPerReconcile(countPromises, { reconcileCondition: false });
  assert.ok(Math.round(promises) <= 4, `${promises} promises`);
});

test('a reconcile without a request creates no AbortController, even with a timeout', async () => {
  const options = { reconcileCondition: false, timeout: '1m' } as const;
  assert.equal(await countedPerReconcile(countAbortControllers, options), 0);
});
