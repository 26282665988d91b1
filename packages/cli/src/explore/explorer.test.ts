import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandContext } from '../command/command-context.js';
import type { ExploreOrder } from './explore-messages.js';
import { explorePart } from './explorer.js';

test('explorePart leaves no timer if the process cannot start', async () => {
  const stream = { write: () => true };
  const context = new CommandContext({ cwd: '/', env: {}, stdout: stream, stderr: stream });
  const order = { request: { root: '/does/not/exist' } } as ExploreOrder;
  const { signal } = new AbortController();
  const options = { order, env: process.env, signal, onMessage: () => assert.fail('no process can send a message') };
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await assert.rejects(explorePart(context, options), { code: 'ENOENT' });
  assert.equal(timers(), before);
});
