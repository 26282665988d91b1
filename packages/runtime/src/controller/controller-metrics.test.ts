import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerminalError } from '@kubewright/api/errors';
import { Metrics } from '../metrics/metrics.js';
import {
  benchDependencies,
  counted,
  disk,
  Disk,
  Machine,
  machine,
  type Reconcile,
  setUp,
} from '../test-support/controller-bench.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { metricValue } from '../test-support/metric-value.js';
import { ObjectTable, refusal } from '../test-support/object-table.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { ControllerRunner } from './controller-runner.js';
import { resolveControllerOptions } from './options/resolved-options.js';
import { Result } from './reconciler/result.js';

/** Runs a controller that reconciles one object once. Returns the metrics of the controller. */
async function reconciled(reconcile: Reconcile, options: Parameters<typeof setUp>[1] = {}) {
  const metrics = new Metrics({ process: false });
  const bench = await setUp(reconcile, options, { metrics });
  bench.machines.put(machine('a'));
  await bench.settle();
  const value = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    metricValue(metrics, name, { controller: 'machine', ...labels });
  const results = async () => {
    const names = ['success', 'error', 'requeue', 'requeue_after'] as const;
    return Promise.all(names.map((result) => value('controller_runtime_reconcile_total', { result })));
  };
  return { ...bench, metrics, value, results };
}
const fails =
  (error: unknown): Reconcile =>
  () =>
    Promise.reject(error);

test('counts a reconcile by its result and measures its duration', async () => {
  const answers: readonly (readonly [Result, readonly number[]])[] = [
    [Result.done(), [1, 0, 0, 0]],
    [Result.requeue(), [0, 0, 1, 0]],
    [Result.requeueAfter('1h'), [0, 0, 0, 1]],
  ];
  for (const [answer, expected] of answers) {
    const { results, value } = await reconciled(async () => answer);
    assert.deepEqual(await results(), expected);
    assert.equal(await value('controller_runtime_reconcile_time_seconds_count'), 1);
    assert.equal(await value('controller_runtime_reconcile_errors_total'), 0);
    assert.equal(await value('kubewright_reconcile_conflicts_total'), 0);
  }
});

test('counts errors and terminal errors as errors, and also counts programming errors as panics', async () => {
  const kinds: readonly (readonly [unknown, number, number])[] = [
    [new Error('no disk'), 0, 0],
    [new TerminalError('there will never be a disk'), 1, 0],
    [new TypeError("cannot read properties of undefined (reading 'x')"), 0, 1],
    [new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }), 0, 0],
    ['a text', 0, 1],
  ];
  for (const [error, terminal, panics] of kinds) {
    const { results, value } = await reconciled(fails(error));
    assert.deepEqual(await results(), [0, 1, 0, 0]);
    assert.equal(await value('controller_runtime_reconcile_errors_total'), 1);
    assert.equal(await value('controller_runtime_terminal_reconcile_errors_total'), terminal, String(error));
    assert.equal(await value('controller_runtime_reconcile_panics_total'), panics, String(error));
  }
});

test('counts a conflict as a requeue and not as an error', async () => {
  const { results, value } = await reconciled(fails(refusal(409, 'Conflict')));
  assert.deepEqual(await results(), [0, 0, 1, 0]);
  assert.equal(await value('controller_runtime_reconcile_errors_total'), 0);
  assert.equal(await value('kubewright_reconcile_conflicts_total'), 1);
});

test('counts active workers and measures unfinished work', async () => {
  let end: (result: Result) => void = () => undefined;
  const { clock, settle, value } = await reconciled(() => new Promise((resolve) => (end = resolve)), {
    concurrency: 5,
  });
  const queue = { name: 'machine' };
  clock.advance(4000);
  assert.equal(await value('controller_runtime_active_workers'), 1);
  assert.equal(await value('controller_runtime_max_concurrent_reconciles'), 5);
  assert.equal(await value('workqueue_unfinished_work_seconds', queue), 4);
  assert.equal(await value('workqueue_longest_running_processor_seconds', queue), 4);
  end(Result.done());
  await settle();
  assert.equal(await value('controller_runtime_active_workers'), 0);
  assert.equal(await value('workqueue_unfinished_work_seconds', queue), 0);
  assert.equal(await value('workqueue_work_duration_seconds_sum', queue), 4);
  assert.equal(await value('controller_runtime_reconcile_time_seconds_sum'), 4);
});

test('counts a run that exceeds its timeout as both a timeout and an error', async () => {
  const { advance, value } = await reconciled(
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    { timeout: '1s' },
  );
  await advance(1000);
  assert.equal(await value('controller_runtime_reconcile_timeouts_total'), 1);
  assert.equal(await value('controller_runtime_reconcile_errors_total'), 1);
});

test('counts the causes of reconciles', async () => {
  const { run } = counted(() => Result.done());
  const { disks, machines, settle, value } = await reconciled(run, { owns: [Disk] });
  disks.put(
    disk('d', {
      ownerReferences: [
        {
          apiVersion: 'test.dev/v1',
          kind: 'Machine',
          name: 'a',
          uid: machines.get({ name: 'a', namespace: 'default' })?.metadata.uid ?? '',
          controller: true,
        },
      ],
    }),
  );
  await settle();
  assert.equal(await value('kubewright_reconcile_causes_total', { cause: 'added' }), 1);
  assert.equal(await value('kubewright_reconcile_causes_total', { cause: 'owned' }), 1);
});

test('does not read the queue of a stopped controller when metrics are collected', async () => {
  const { runner, value } = await reconciled(async () => Result.done());
  await runner.stop();
  assert.equal(await value('workqueue_unfinished_work_seconds', { name: 'machine' }), 0);
});

test('reports no running, paused or waiting objects for a stopped controller', async () => {
  const { runner, machines, settle, advance, value } = await reconciled(
    (_object, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    { concurrency: 2 },
  );
  machines.put(machine('b', {}, { annotations: { 'kubewright.dev/paused': 'true' } }));
  await settle();
  await advance(5000);
  const levels = () =>
    Promise.all([
      value('workqueue_unfinished_work_seconds', { name: 'machine' }),
      value('workqueue_longest_running_processor_seconds', { name: 'machine' }),
      value('kubewright_paused_objects'),
    ]);
  assert.deepEqual(await levels(), [5, 5, 1]);
  await runner.stop();
  assert.deepEqual(await levels(), [0, 0, 0]);
});

test('reports no waiting objects for a controller that stopped before its workers started', async () => {
  const metrics = new Metrics({ process: false });
  const [machines, clock, logger] = [new ObjectTable(), new ManualClock(), new RecordingLogger()];
  const bench = benchDependencies({ machines, disks: new ObjectTable(), clock, logger });
  const options = resolveControllerOptions({ for: Machine, name: 'machine' });
  const reconciler = { reconcile: async () => Result.done() };
  const runner = await ControllerRunner.open(options, { ...bench, metrics, reconciler });
  machines.put(machine('a'));
  const depth = () =>
    metricValue(metrics, 'workqueue_depth', { controller: 'machine', name: 'machine', priority: '0' });
  assert.equal(await depth(), 1);
  await runner.stop();
  assert.equal(await depth(), 0);
});
