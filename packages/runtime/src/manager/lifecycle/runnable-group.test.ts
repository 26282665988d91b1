import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate, isSettled } from '../../test-support/gate.js';
import { aborted } from '../../waiting/aborted.js';
import { type GroupMember, type MemberFailure, RunnableGroup } from './runnable-group.js';

/** Returns a group that records failures, starts and ends of its members. */
function newGroup() {
  const failures: MemberFailure[] = [];
  const order: string[] = [];
  const group = new RunnableGroup((failure) => failures.push(failure));
  const member = (name: string, more: Partial<GroupMember> = {}): GroupMember => ({
    name,
    run: async (signal) => {
      order.push(`${name} begins`);
      await aborted(signal);
      order.push(`${name} ends`);
    },
    ...more,
  });
  return { group, failures, order, member };
}

test('[RG-08] when the group starts, it starts the members that were added earlier', async () => {
  const { group, order, member } = newGroup();
  group.add(member('a'));
  group.add(member('b'));
  assert.deepEqual(order, []);
  await group.start();
  assert.deepEqual(order, ['a begins', 'b begins']);
  await group.stop('end');
});

test('[RG-09] immediately starts a member that is added after the start', async () => {
  const { group, order, member } = newGroup();
  group.add(member('a'));
  await group.start();
  group.add(member('b'));
  assert.deepEqual(order, ['a begins', 'b begins']);
  assert.deepEqual(group.running, ['a', 'b']);
  await group.stop('end');
  assert.deepEqual(group.running, []);
});

test('[RG-10] starts each member that is added during the start once, and the start waits for these members', async () => {
  const { group, order, member } = newGroup();
  const gates = [new Gate(), new Gate()];
  group.add(member('a', { ready: () => gates[0]?.promise ?? Promise.resolve() }));
  const started = group.start();
  group.add(member('b', { ready: () => gates[1]?.promise ?? Promise.resolve() }));
  gates[0]?.open();
  assert.equal(await isSettled(started), false);
  gates[1]?.open();
  await started;
  assert.deepEqual(order, ['a begins', 'b begins']);
  await group.stop('end');
});

test('[RG-11] stop resolves when all members have ended', async () => {
  const { group, member } = newGroup();
  const slow = new Gate();
  group.add(member('quick'));
  group.add(member('slow', { run: () => slow.promise }));
  await group.start();
  const stopped = group.stop('end');
  assert.equal(await isSettled(stopped), false);
  assert.deepEqual(group.running, ['slow']);
  slow.open();
  await stopped;
});

test('[RG-12] start resolves when all members are ready, in any order', async () => {
  const { group, member } = newGroup();
  const gates = ['first', 'second', 'third'].map((name) => ({ name, gate: new Gate() }));
  for (const { name, gate } of gates) group.add(member(name, { ready: () => gate.promise }));
  const started = group.start();
  for (const { gate } of gates.toReversed()) {
    assert.equal(await isSettled(started), false);
    gate.open();
  }
  await started;
  await group.stop('end');
});

test('[RG-13] rejects new members while the group is stopping, and the stop completes', async () => {
  const { group, member } = newGroup();
  const slow = new Gate();
  group.add(member('slow', { run: () => slow.promise }));
  await group.start();
  const stopped = group.stop('end');
  assert.throws(() => group.add(member('late')), {
    code: 'STOPPED',
    message: /cannot add late: the manager is stopping/,
  });
  slow.open();
  await stopped;
  assert.throws(() => group.add(member('later')), { code: 'STOPPED' });
});

test('[RG-14] start rejects if a member cannot become ready, and the reported failure names the member', async () => {
  const { group, failures, member } = newGroup();
  const broken = new Error('no such table');
  group.add(member('good'));
  group.add(member('bad', { ready: () => Promise.reject(broken) }));
  await assert.rejects(group.start(), broken);
  assert.deepEqual(failures, [{ member: 'bad', error: broken, stopping: false }]);
  await group.stop('end');
});

test('start rejects if a member fails before it is ready', async () => {
  const { group, member } = newGroup();
  const broken = new Error('port in use');
  group.add(member('bad', { run: () => Promise.reject(broken), ready: () => new Promise(() => undefined) }));
  await assert.rejects(group.start(), broken);
  await group.stop('end');
});

test('reports a member that throws synchronously in the same way as a rejected promise', async () => {
  const { group, failures, member } = newGroup();
  const run = (): never => {
    throw new Error('at once');
  };
  group.add(member('bad', { run }));
  await assert.rejects(group.start(), /at once/);
  assert.equal(failures.length, 1);
  await group.stop('end');
});

test('ignores errors that the abort caused, and reports other errors as errors of the stop', async () => {
  const { group, failures, member } = newGroup();
  const reason = new Error('the reason');
  const broken = new Error('could not flush');
  const afterAbort = (error: () => unknown) => async (signal: AbortSignal) => {
    await aborted(signal);
    throw error();
  };
  group.add(member('reason', { run: afterAbort(() => reason) }));
  group.add(member('abort error', { run: afterAbort(() => new DOMException('stop', 'AbortError')) }));
  group.add(member('wrapped', { run: afterAbort(() => new Error('request failed', { cause: reason })) }));
  group.add(member('broken', { run: afterAbort(() => broken) }));
  await group.start();
  await group.stop(reason);
  assert.deepEqual(failures, [{ member: 'broken', error: broken, stopping: true }]);
});

test('starts no member if the group was stopped before its start', async () => {
  const { group, order, member } = newGroup();
  group.add(member('a'));
  await group.stop('end');
  await assert.rejects(group.start(), { code: 'STOPPED' });
  assert.deepEqual(order, []);
});
