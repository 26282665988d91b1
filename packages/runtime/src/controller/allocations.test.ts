import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const program = new URL('../test-support/allocating-process.js', import.meta.url);
const flags = ['--jitless', '--no-warnings', '--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

test('a reconcile allocates at most 48 times the bytes of a parsed object, with a status patch at most 95 times, and a cached read at most twice', async () => {
  const child = fork(program, { execArgv: flags });
  const exit = once(child, 'exit');
  const [times] = (await Promise.race([once(child, 'message'), exit])) as [
    { withoutWrite: number; withPatch: number; cachedRead: number },
  ];
  assert.ok(times.withoutWrite <= 48, `${times.withoutWrite} times`);
  assert.ok(times.withPatch <= 95, `${times.withPatch} times`);
  assert.ok(times.cachedRead <= 2, `${times.cachedRead} times`);
  assert.deepEqual(await exit, [0, null]);
});
