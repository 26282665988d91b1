import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@kubewright/api/errors';
import { WorkerSlots } from './worker-slots.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const isTooManyRequests = (error: unknown): boolean => error instanceof ApiError && error.body.code === 429;
const present = (): boolean => false;

/** Creates tasks that run until the test ends them, and records the started tasks. */
class Works {
  readonly started: string[] = [];
  readonly #ends = new Map<string, (error?: Error) => void>();

  work(name: string): () => Promise<string> {
    return () =>
      new Promise((resolve, reject) => {
        this.started.push(name);
        this.#ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      });
  }

  async end(name: string, error?: Error): Promise<void> {
    this.#ends.get(name)?.(error);
    await nextTurn();
  }
}

test('runs a limited number of tasks concurrently, in order, and continues after an error', async () => {
  const slots = new WorkerSlots({ slots: 2 });
  const works = new Works();
  const results = ['a', 'b', 'c', 'd'].map((name) => slots.run(works.work(name), present));
  const settled = Promise.allSettled(results);
  await nextTurn();
  assert.deepEqual(works.started, ['a', 'b']);
  await works.end('b', new RangeError('refused'));
  assert.deepEqual(works.started, ['a', 'b', 'c']);
  await works.end('a');
  assert.deepEqual(works.started, ['a', 'b', 'c', 'd']);
  await works.end('c');
  await works.end('d');
  const states = (await settled).map(({ status }) => status);
  assert.deepEqual(states, ['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});

test('removes requests of disconnected clients and rejects requests with 429 if the queue is full', async () => {
  const slots = new WorkerSlots({ slots: 1, mostWaiting: 1 });
  const works = new Works();
  const first = slots.run(works.work('a'), present);
  let hasLeft = false;
  const abandoned = assert.rejects(
    slots.run(works.work('b'), () => hasLeft),
    /the client closed the request/,
  );
  await assert.rejects(slots.run(works.work('c'), present), isTooManyRequests);
  hasLeft = true;
  const last = slots.run(works.work('d'), present);
  await abandoned;
  await works.end('a');
  await works.end('d');
  assert.deepEqual([await first, await last], ['a', 'd']);
  assert.deepEqual(works.started, ['a', 'd']);
});

test('when a slot becomes free, skips the task of a client that has disconnected', async () => {
  const slots = new WorkerSlots({ slots: 1 });
  const works = new Works();
  const first = slots.run(works.work('a'), present);
  let hasLeft = false;
  const abandoned = assert.rejects(slots.run(works.work('b'), () => hasLeft));
  await nextTurn();
  hasLeft = true;
  await works.end('a');
  await Promise.all([first, abandoned]);
  const last = slots.run(works.work('c'), present);
  await nextTurn();
  assert.deepEqual(works.started, ['a', 'c']);
  await works.end('c');
  assert.equal(await last, 'c');
});
