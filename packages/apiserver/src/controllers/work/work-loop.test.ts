import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Steps } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { conflict } from '../../registry/requests/status-errors.js';
import { WorkLoop } from './work-loop.js';
import { WorkTurns } from './work-turns.js';

function loopOf(sync: (key: string) => Steps<void> | void): WorkLoop {
  return new WorkLoop({ name: 'test', clock: new SystemClock(), sync, turns: new WorkTurns(() => undefined) });
}

test('a work loop runs one step at a time, and finishes a key before it starts the next key', () => {
  const done: string[] = [];
  const loop = loopOf(function* (key) {
    done.push(`${key}1`);
    yield;
    done.push(`${key}2`);
  });
  loop.add('a');
  loop.add('b');
  loop.runNext();
  assert.deepEqual(done, ['a1']);
  assert.deepEqual(loop.pending(), ['test a', 'test b']);
  while (loop.runNext());
  assert.deepEqual(done, ['a1', 'a2', 'b1', 'b2']);
  assert.deepEqual(loop.pending(), []);
  loop.stop();
});

test('a work loop runs a key again if the key is added between its steps', () => {
  let runs = 0;
  const loop = loopOf(function* () {
    runs += 1;
    yield;
  });
  loop.add('a');
  loop.runNext();
  loop.add('a');
  assert.deepEqual(loop.pending(), ['test a']);
  while (loop.runNext());
  assert.equal(runs, 2);
  loop.stop();
});

test('a work loop runs a key again without a delay after a conflict', () => {
  let runs = 0;
  const loop = loopOf(function* () {
    runs += 1;
    yield;
    if (runs === 1) throw conflict({ group: '', plural: 'pods', kind: 'Pod' }, 'a', 'the object has been modified');
  });
  loop.add('a');
  while (loop.runNext());
  assert.equal(runs, 2);
  assert.deepEqual(loop.pending(), []);
  loop.stop();
});

test('a work loop retries a key if a step after the first step throws', () => {
  const loop = loopOf(function* () {
    yield;
    throw new RangeError('no');
  });
  loop.add('a');
  while (loop.runNext());
  assert.deepEqual(loop.pending(), ['test a (failed 1 times: no)']);
  loop.stop();
});

test('a work loop continues a key when its wait ends, and reports no runnable work in the meantime', async () => {
  const done: string[] = [];
  let end: () => void = () => undefined;
  const turns = new WorkTurns(() => undefined);
  const sync = function* (key: string): Steps<void> {
    yield () =>
      new Promise<void>((resolve) => {
        end = resolve;
      });
    done.push(key);
  };
  const loop = new WorkLoop({ name: 'test', clock: new SystemClock(), sync, turns });
  loop.add('a');
  loop.runNext();
  assert.equal(loop.runNext(), false);
  assert.equal(loop.hasWork, false);
  assert.deepEqual(loop.pending(), ['test a']);
  end();
  while (loop.pending().length > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done, ['a']);
  turns.stop();
  loop.stop();
});

test('a work loop retries a key whose wait fails', async () => {
  let runs = 0;
  const turns = new WorkTurns(() => undefined);
  const sync = function* (): Steps<void> {
    runs += 1;
    yield () => (runs === 1 ? Promise.reject(new Error('unreachable')) : Promise.resolve());
  };
  const loop = new WorkLoop({ name: 'test', clock: new SystemClock(), sync, turns });
  loop.add('a');
  while (loop.pending().length > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runs, 2);
  turns.stop();
  loop.stop();
});
