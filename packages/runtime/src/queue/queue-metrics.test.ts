import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '../metrics/metrics.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { parseMetrics } from '../metrics/parse-metrics.js';
import { exponential } from './delay-rule.js';
import { WorkQueue } from './work-queue.js';

/** A queue whose metrics the test reads. */
class MeasuredQueue {
  readonly clock = new ManualClock();
  readonly metrics = new Metrics({ process: false });
  readonly queue = new WorkQueue<string>(
    { clock: this.clock, delayRule: exponential({ initial: '5ms', max: '1000ms' }) },
    this.metrics.queue('test'),
  );

  /** Returns the number of waiting keys by priority. */
  async depths(): Promise<Readonly<Record<string, number>>> {
    const samples = await this.#samples('workqueue_depth');
    return Object.fromEntries(samples.map(({ labels, value }) => [labels.priority, value]));
  }
  async value(name: string): Promise<number | undefined> {
    const samples = await this.#samples(name.replace(/_(sum|count)$/, ''));
    return samples.find((sample) => sample.name === name)?.value;
  }
  async #samples(family: string) {
    return parseMetrics(await this.metrics.text()).get(family)?.samples ?? [];
  }
}

test('a new queue has all series with the value 0', async () => {
  const measured = new MeasuredQueue();
  assert.deepEqual(await measured.depths(), { '0': 0 });
  for (const name of [
    'workqueue_adds_total',
    'workqueue_retries_total',
    'workqueue_queue_duration_seconds_count',
    'workqueue_work_duration_seconds_count',
    'workqueue_unfinished_work_seconds',
    'workqueue_longest_running_processor_seconds',
  ]) {
    assert.equal(await measured.value(name), 0, name);
  }
});

test('counts a key when it becomes ready, and measures its time in the queue and the time of its processing', async () => {
  const measured = new MeasuredQueue();
  const { clock, queue } = measured;
  queue.add('a');
  queue.add('a');
  clock.advance(200);
  await queue.get();
  clock.advance(3000);
  queue.done('a');
  assert.equal(await measured.value('workqueue_adds_total'), 1);
  assert.equal(await measured.value('workqueue_queue_duration_seconds_sum'), 0.2);
  assert.equal(await measured.value('workqueue_work_duration_seconds_sum'), 3);
  assert.deepEqual(await measured.depths(), { '0': 0 });
});

test('[PQ-14] counts a delayed key only once if it is added again without a delay, and then counts it immediately', async () => {
  const measured = new MeasuredQueue();
  const { clock, queue } = measured;
  queue.add('a', { after: 60_000 });
  assert.deepEqual(await measured.depths(), { '0': 0 });
  queue.add('a');
  assert.deepEqual(await measured.depths(), { '0': 1 });
  await queue.get();
  assert.deepEqual(await measured.depths(), { '0': 0 });
  assert.equal(await measured.value('workqueue_adds_total'), 1);
  assert.equal(await measured.value('workqueue_retries_total'), 1);
  clock.advance(1);
  assert.deepEqual(await measured.depths(), { '0': 0 }, 'never negative');
});

test('[PQ-15] a delayed key that is added again with a higher priority and without a delay is counted only under this priority', async () => {
  const measured = new MeasuredQueue();
  const { queue } = measured;
  queue.add('a', { after: 60_000 });
  queue.add('a', { priority: 1 });
  assert.deepEqual(await measured.depths(), { '0': 0, '1': 1 });
  queue.add('a', { priority: 7 });
  assert.deepEqual(await measured.depths(), { '0': 0, '1': 0, '7': 1 });
  assert.equal((await queue.get())?.priority, 7);
  assert.deepEqual(await measured.depths(), { '0': 0, '1': 0, '7': 0 });
});

test('[PQ-25] length and depth include a delayed key as soon as it is due', async () => {
  const measured = new MeasuredQueue();
  const { clock, queue } = measured;
  queue.add('a', { after: 1000 });
  clock.advance(999);
  assert.equal(queue.length, 0);
  assert.deepEqual(await measured.depths(), { '0': 0 });
  clock.advance(1);
  assert.equal(queue.length, 1);
  assert.deepEqual(await measured.depths(), { '0': 1 });
  assert.equal(await measured.value('workqueue_adds_total'), 1);
});

test('[PQ-26] a key that is already due is not counted again when it is added without a delay', async () => {
  const measured = new MeasuredQueue();
  const { clock, queue } = measured;
  queue.add('a', { after: 1000, priority: -100 });
  clock.advance(1000);
  queue.add('a');
  assert.deepEqual(await measured.depths(), { '0': 1, '-100': 0 });
  assert.equal(await measured.value('workqueue_adds_total'), 1);
  assert.equal(await measured.value('workqueue_retries_total'), 1);
});

test('counts every add with a delay as a retry, even if the add is merged with an earlier add', async () => {
  const measured = new MeasuredQueue();
  measured.queue.add('a', { rateLimited: true });
  measured.queue.add('a', { rateLimited: true });
  measured.queue.add('a', { after: 60_000 });
  assert.equal(await measured.value('workqueue_retries_total'), 3);
});

test('[OT-09] a limited number of priorities have their own series, and all other priorities share one series', async () => {
  const seriesOf = async (priorities: readonly number[]) => {
    const measured = new MeasuredQueue();
    for (const [at, priority] of priorities.entries()) measured.queue.add(`key-${at}`, { priority });
    const depths = await measured.depths();
    return { own: Object.keys(depths).length, beyond: depths.exceeded_cardinality_limit };
  };
  const from0 = (count: number) => Array.from({ length: count }, (_, at) => at);
  assert.deepEqual(await seriesOf(from0(10)), { own: 10, beyond: undefined }, 'under the limit');
  assert.deepEqual(await seriesOf(from0(25)), { own: 25, beyond: undefined }, 'at the limit');
  assert.deepEqual(await seriesOf(from0(26)), { own: 26, beyond: 1 }, 'above the limit');
  assert.deepEqual(await seriesOf(from0(30)), { own: 26, beyond: 5 }, 'far above the limit');
  assert.deepEqual(await seriesOf(from0(200).map(() => 0)), { own: 1, beyond: undefined }, 'one priority, many times');
});

test('taking a key decreases the depth of the series that several priorities share', async () => {
  const measured = new MeasuredQueue();
  for (let priority = 0; priority < 30; priority++) measured.queue.add(`key-${priority}`, { priority });
  for (let taken = 0; taken < 30; taken++) await measured.queue.get();
  assert.deepEqual([...new Set(Object.values(await measured.depths()))], [0]);
});
