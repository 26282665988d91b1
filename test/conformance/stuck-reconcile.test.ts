import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Result } from '@kubewright/runtime';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Pool, pool } from './reconcile-kinds.js';

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment({ kinds: [Pool] });
});
after(() => env[Symbol.asyncDispose]());

test('a reconcile that never ends does not prevent the end of other components, and the manager stops after the grace period', async () => {
  const clock = new FakeClock();
  const manager = env.manager({ clock, gracePeriod: '30s' });
  const ended: Record<string, Promise<void>> = {};
  const end: Record<string, () => void> = {};
  for (const name of ['endpoint', 'everywhere']) ended[name] = new Promise((resolve) => (end[name] = resolve));
  let begun = (_signal: AbortSignal): void => undefined;
  const reconciling = new Promise<AbortSignal>((resolve) => (begun = resolve));
  manager.control({ for: Pool, name: 'stuck' }, (_object, { signal }) => {
    begun(signal);
    return new Promise(() => undefined);
  });
  manager.control({ for: ConfigMap, name: 'other', leaderOnly: false }, async () => Result.done());
  manager.add(
    {
      name: 'everywhere',
      leaderOnly: false,
      run: async (signal: AbortSignal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        end['everywhere']?.();
      },
    },
    {
      name: 'endpoint',
      address: undefined,
      listen: async () => undefined,
      [Symbol.asyncDispose]: async () => end['endpoint']?.(),
    },
  );
  await manager.start();
  await env.client.create(pool('held'));
  const signal = await reconciling;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  const stopped = manager.stop();
  const failure = assert.rejects(manager.stopped, {
    code: 'GRACE_PERIOD_EXCEEDED',
    message: /the following did not return within 30 s: .*controller 'stuck'/,
  });
  await aborted;
  await clock.advance('5s');
  await Promise.all(Object.values(ended));
  const kinds = (): readonly string[] => manager.status().informers.map(({ kind }) => kind);
  assert.deepEqual(
    kinds().filter((kind) => kind.includes('ConfigMap')),
    [],
  );
  assert.equal(
    kinds().some((kind) => kind.includes('Pool')),
    true,
    'the informers that the pending reconcile may read still run',
  );
  await clock.advance('25s');
  await stopped;
  await failure;
});
