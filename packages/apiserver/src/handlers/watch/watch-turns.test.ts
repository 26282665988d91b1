import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WatchTurns } from './watch-turns.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function workFor(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test('the work of watches runs immediately during the first 10 ms of a turn of the event loop', () => {
  const turns = new WatchTurns();
  const done: string[] = [];
  turns.request(() => done.push('a'));
  turns.request(() => done.push('b'));
  assert.deepEqual(done, ['a', 'b']);
});

test('the work of watches beyond 10 ms runs in later turns, in order, and only once if it is requested repeatedly', async () => {
  const turns = new WatchTurns();
  const done: string[] = [];
  const works = ['a', 'b', 'c'].map((name) => () => {
    workFor(11);
    done.push(name);
  });
  for (const work of [...works, ...works.slice(1)]) turns.request(work);
  assert.deepEqual(done, ['a']);
  while (done.length < 3) {
    const before = done.length;
    await nextTurn();
    assert.ok(done.length <= before + 1, 'a turn ran several pieces of work');
  }
  await nextTurn();
  assert.deepEqual(done, ['a', 'b', 'c']);
});

test('work of a watch that is requested during other work runs after the other work', () => {
  const turns = new WatchTurns();
  const done: string[] = [];
  return new Promise<void>((resolve) => {
    turns.request(() => {
      turns.request(() => {
        assert.deepEqual(done, ['outer']);
        resolve();
      });
      done.push('outer');
    });
  });
});

test('the work of watches continues after work that throws', async () => {
  const turns = new WatchTurns();
  assert.throws(() =>
    turns.request(() => {
      throw new RangeError('no');
    }),
  );
  let isDone = false;
  turns.request(() => {
    isDone = true;
  });
  await nextTurn();
  assert.ok(isDone);
});
