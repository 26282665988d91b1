import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../test-support/manual-clock.js';
import { WorkQueue } from './work-queue.js';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

type Step =
  | { readonly do: 'add'; readonly key: string; readonly priority: number; readonly after: number }
  | { readonly do: 'take' }
  | { readonly do: 'done'; readonly which: number }
  | { readonly do: 'advance'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      key: fc.constantFrom(...KEYS),
      priority: fc.integer({ min: -2, max: 2 }),
      after: fc.constantFrom(0, 0, 1, 5, 20),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('done' as const), which: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 10 }) }) },
);

interface Requested {
  priority: number;
  dueMs: number;
  /** Determines the order of the keys with the same priority. A key gets a new number when it enters a lane. */
  turn: number;
}
/** A simple model of the required behavior of the queue. */
class Model {
  readonly requested = new Map<string, Requested>();
  readonly processing: string[] = [];
  nowMs = 0;
  #turns = 0;

  add(key: string, priority: number, after: number): void {
    const known = this.requested.get(key);
    const dueMs = this.nowMs + after;
    if (known === undefined) {
      this.requested.set(key, { priority, dueMs, turn: ++this.#turns });
      return;
    }
    const wasReady = known.dueMs <= this.nowMs;
    const rises = priority > known.priority;
    known.priority = Math.max(known.priority, priority);
    if (!wasReady && dueMs < known.dueMs) [known.dueMs, known.turn] = [dueMs, ++this.#turns];
    else if (wasReady && rises && !this.processing.includes(key)) known.turn = ++this.#turns;
  }
  advance(ms: number): void {
    const due = [...this.requested.values()].filter(({ dueMs }) => dueMs > this.nowMs && dueMs <= this.nowMs + ms);
    for (const requested of due.toSorted((a, b) => a.dueMs - b.dueMs || a.turn - b.turn))
      requested.turn = ++this.#turns;
    this.nowMs += ms;
  }
  /** Returns the keys that the queue may return, in order. */
  ready(): string[] {
    const waiting = [...this.requested].filter(
      ([key, { dueMs }]) => dueMs <= this.nowMs && !this.processing.includes(key),
    );
    waiting.sort(([, a], [, b]) => b.priority - a.priority || a.turn - b.turn);
    return waiting.map(([key]) => key);
  }
  done(key: string): void {
    this.processing.splice(this.processing.indexOf(key), 1);
    const requested = this.requested.get(key);
    if (requested !== undefined && requested.dueMs <= this.nowMs) requested.turn = ++this.#turns;
  }
}

class Run {
  readonly clock = new ManualClock();
  readonly queue = new WorkQueue<string>({ clock: this.clock });
  readonly model = new Model();

  async do(step: Step): Promise<void> {
    switch (step.do) {
      case 'add':
        this.queue.add(step.key, { priority: step.priority, after: step.after });
        this.model.add(step.key, step.priority, step.after);
        break;
      case 'take':
        await this.take();
        break;
      case 'done':
        this.done(this.model.processing[step.which]);
        break;
      case 'advance':
        this.clock.advance(step.ms);
        this.model.advance(step.ms);
        break;
    }
    assert.equal(this.queue.length, this.model.ready().length);
    assert.equal(this.queue.processing, this.model.processing.length);
  }
  async take(): Promise<void> {
    const [expected] = this.model.ready();
    if (expected === undefined) return;
    const item = await this.queue.get();
    assert.equal(item?.key, expected);
    assert.equal(item?.priority, this.model.requested.get(expected)?.priority);
    this.model.requested.delete(expected);
    this.model.processing.push(expected);
  }
  done(key: string | undefined): void {
    if (key === undefined) return;
    this.queue.done(key);
    this.model.done(key);
  }
  /** Processes all keys, and checks that no key that was added is missing. */
  async finish(): Promise<void> {
    this.clock.advance(100);
    this.model.advance(100);
    while (this.model.processing.length > 0 || this.model.ready().length > 0) {
      await this.take();
      this.done(this.model.processing[0]);
    }
    assert.equal(this.model.requested.size, 0);
    assert.deepEqual([this.queue.length, this.queue.processing, this.queue.pending()], [0, 0, []]);
    assert.deepEqual(this.clock.pendingMs, []);
  }
}

test('[PQ-17] property: never returns a key twice at a time, loses no key, and returns keys by priority and then by arrival', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
    const run = new Run();
    for (const step of steps) await run.do(step);
    await run.finish();
  });
  await fc.assert(property, { numRuns: 400 });
});

test('[PQ-17] property: with concurrent workers, adds, delays and a shutdown, each key is processed by one worker at a time', async () => {
  const requested = fc.record({
    key: fc.constantFrom(...KEYS),
    priority: fc.integer({ min: -2, max: 2 }),
    after: fc.constantFrom(0, 0, 3),
    rateLimited: fc.boolean(),
  });
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(requested, { minLength: 1, maxLength: 60 }),
    async (s, adds) => {
      const clock = new ManualClock();
      const queue = new WorkQueue<string>({ clock, starvationLimit: 5, retryLimit: { perSecond: 100, burst: 3 } });
      const running = new Set<string>();
      const worker = async (): Promise<void> => {
        for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
          assert.ok(!running.has(item.key), `${item.key} is processed twice at the same time`);
          running.add(item.key);
          await s.schedule(Promise.resolve(), `work on ${item.key}`);
          running.delete(item.key);
          queue.done(item.key);
        }
      };
      const workers = [worker(), worker(), worker()];
      for (const { key, ...options } of adds) {
        void s.schedule(Promise.resolve(), `add ${key}`).then(() => {
          queue.add(key, options);
          clock.advance(1);
        });
      }
      await s.waitAll();
      clock.advance(1_000_000);
      const drained = queue.shutDown({ drain: true });
      await s.waitFor(Promise.all([drained, ...workers]));
      assert.deepEqual([queue.length, queue.processing, running.size], [0, 0, 0]);
    },
  );
  await fc.assert(property, { numRuns: 150 });
});
