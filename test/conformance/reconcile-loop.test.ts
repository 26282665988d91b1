import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findCondition } from '@kubewright/api';
import { TerminalError } from '@kubewright/api/errors';
import {
  type FailureContext,
  PAUSED_ANNOTATION,
  type ReconcileContext,
  type Reconciler,
  Result,
} from '@kubewright/runtime';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Pool, pool } from './reconcile-kinds.js';

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment({ kinds: [Pool] });
});
after(() => env[Symbol.asyncDispose]());

test('[RC-01, RT-08] a created object causes one reconcile with the object as stored on the server', async () => {
  const seen: Pool[] = [];
  const manager = env.manager();
  manager.control({ for: Pool, name: 'once' }, async (object: Pool) => {
    if (object.metadata.name === 'made') seen.push(object);
    return Result.done();
  });
  await manager.start();
  const made = await env.client.create(pool('made'));
  await env.until(made, ({ status }) => status?.observedGeneration === 1);
  await env.settled();
  assert.deepEqual(
    seen.map(({ metadata, spec }) => [metadata.uid, spec.mode]),
    [[made.metadata.uid, 'Auto']],
  );
  await manager.stop();
});

test('[RC-14, RT-06] a terminal error sets the condition Reconciled to False until the object changes; success sets the observed generation', async () => {
  const reported: string[] = [];
  const reconciler: Reconciler<Pool> = {
    async reconcile({ spec }) {
      if (spec.size === 1) throw new TerminalError('one is too few', { reason: 'TooFew' });
      return Result.done();
    },
    async onError(object, error, { lastAttempt, terminal }: FailureContext) {
      reported.push(`${lastAttempt} ${terminal}`);
      await manager.client.patchStatus(object, { lastError: String(error) }, { observed: false });
    },
  };
  const manager = env.manager();
  manager.control({ for: Pool, name: 'sizer' }, reconciler);
  const refused = await env.client.create(pool('refused'));
  await manager.start();
  const failed = await env.until(refused, (now) => findCondition(now, 'Reconciled')?.status === 'False');
  const condition = findCondition(failed, 'Reconciled');
  assert.deepEqual([condition?.reason, condition?.observedGeneration], ['TooFew', 1]);
  assert.match(failed.status?.lastError ?? '', /one is too few/);
  assert.equal(failed.status?.observedGeneration, undefined);
  assert.deepEqual([reported.length > 0, new Set(reported)], [true, new Set(['true true'])]);
  await env.client.patch(failed, (draft) => {
    draft.spec.size = 2;
  });
  const well = await env.until(refused, (now) => findCondition(now, 'Reconciled')?.status === 'True');
  assert.equal(well.status?.observedGeneration, 2);
  await manager.stop();
  for (const name of ['made', 'refused']) await env.client.delete(pool(name));
});

test('a paused object is not reconciled until the given time, has the condition Paused, and then resumes', async () => {
  const runs: ReconcileContext[] = [];
  const clock = new FakeClock();
  const manager = env.manager({ clock });
  manager.control({ for: Pool, name: 'pausing' }, async (_object: Pool, context) => {
    runs.push(context);
    return Result.done();
  });
  await manager.start();
  const until = '2026-01-01T00:00:01.500Z';
  const paused = await env.client.create(pool('paused', { [PAUSED_ANNOTATION]: until }));
  const reported = await env.until(paused, (now) => findCondition(now, 'Paused')?.status === 'True');
  assert.match(findCondition(reported, 'Paused')?.message ?? '', new RegExp(`until ${until}`));
  const changed = await env.client.patch(reported, (draft) => {
    draft.spec.size = 5;
  });
  await manager.cache.seen(changed);
  // Waits for the run that the change triggers, which must find the object paused.
  await env.settled();
  await clock.advance('1499ms');
  assert.equal(runs.length, 0);
  await clock.advance('1ms');
  const resumed = await env.until(paused, (now) => findCondition(now, 'Reconciled')?.status === 'True');
  assert.equal(findCondition(resumed, 'Paused')?.status, 'False');
  assert.deepEqual(
    runs.map(({ causes }) => causes.map(({ kind }) => kind)),
    [['resumed']],
  );
  await manager.stop();
});
