import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import {
  at,
  type Cluster,
  context,
  startCluster,
  SteppedClock,
  template,
} from '../../../server/cluster.test.support.js';

const indexKey = 'batch.kubernetes.io/job-completion-index';
const countKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredKey = 'batch.kubernetes.io/job-index-ignored-failure-count';
const tracking = 'batch.kubernetes.io/job-tracking';

/** A cluster with a Job whose Pods only the test ends. */
interface Bench {
  readonly cluster: Cluster;
  readonly clock: SteppedClock;
  /** Returns the Pods that have not ended. */
  readonly running: () => readonly ApiObject[];
  /** Ends a Pod with an exit code. */
  readonly end: (pod: ApiObject | undefined, exitCode: number) => Promise<void>;
  readonly status: () => Record<string, unknown>;
  /** Returns the types and reasons of the true conditions. */
  readonly conditions: () => readonly string[];
}

async function startJob(t: TestContext, spec: object): Promise<Bench> {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: ['jobs'], clock });
  const jobs = cluster.resource('batch/v1/jobs');
  const pods = cluster.resource('/v1/pods');
  jobs.create({ metadata: at('job'), spec: { template: template([], { restartPolicy: 'Never' }), ...spec } }, context);
  await cluster.quiet();
  const ended = (pod: ApiObject, exitCode: number) => (live: ApiObject) => {
    const finishedAt = clock.now().toISOString();
    const state = { terminated: { exitCode, finishedAt } };
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    const containerStatuses = [{ name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state }];
    return live.metadata.uid === pod.metadata.uid ? { ...live, status: { phase, containerStatuses } } : live;
  };
  return {
    cluster,
    clock,
    running: () => pods.list().items.filter((pod) => stringAt(pod, 'status', 'phase') === 'Pending'),
    end: async (pod, exitCode) => {
      assert.ok(pod);
      pods.update(pod.metadata, ended(pod, exitCode), { ...context, subresource: 'status' });
      await cluster.quiet();
    },
    status: () => objectAt(jobs.get(at('job')), 'status'),
    conditions: () =>
      objectsAt(jobs.get(at('job')), 'status', 'conditions')
        .filter(({ status }) => status === 'True')
        .map(({ type, reason }) => `${String(type)}: ${String(reason)}`),
  };
}

const perIndex = (spec: object = {}): object => ({
  completionMode: 'Indexed',
  completions: 2,
  parallelism: 2,
  backoffLimitPerIndex: 1,
  ...spec,
});
const byIndex = (pods: readonly ApiObject[], index: number): ApiObject | undefined =>
  pods.find(({ metadata }) => metadata.annotations?.[indexKey] === String(index));

test('an index fails after its own limit, while other indexes succeed', async (t) => {
  const { clock, cluster, running, end, status, conditions } = await startJob(t, perIndex());
  assert.equal(byIndex(running(), 0)?.metadata.annotations?.[countKey], '0');
  await end(byIndex(running(), 0), 1);
  assert.equal(byIndex(running(), 0), undefined);
  assert.equal(status()['failed'], undefined);
  assert.equal(status()['failedIndexes'], '');
  clock.advance(10_000);
  await cluster.quiet();
  assert.equal(byIndex(running(), 0)?.metadata.annotations?.[countKey], '1');
  assert.equal(status()['failed'], 1);
  await end(byIndex(running(), 0), 1);
  assert.equal(status()['failedIndexes'], '0');
  await end(byIndex(running(), 1), 0);
  assert.deepEqual(conditions(), ['FailureTarget: FailedIndexes', 'Failed: FailedIndexes']);
  assert.deepEqual(
    [status()['failed'], status()['succeeded'], status()['completedIndexes'], status()['failedIndexes']],
    [2, 1, '1', '0'],
  );
});

test('the backoff of an index grows with its failures and does not delay other indexes', async (t) => {
  const { clock, cluster, running, end } = await startJob(t, perIndex({ backoffLimitPerIndex: 5, completions: 3 }));
  await end(byIndex(running(), 0), 1);
  assert.ok(byIndex(running(), 2) !== undefined || byIndex(running(), 1) !== undefined);
  await end(byIndex(running(), 1), 0);
  assert.ok(byIndex(running(), 2));
  clock.advance(10_000);
  await cluster.quiet();
  await end(byIndex(running(), 0), 1);
  clock.advance(19_000);
  await cluster.quiet();
  assert.equal(byIndex(running(), 0), undefined);
  clock.advance(1_000);
  await cluster.quiet();
  assert.equal(byIndex(running(), 0)?.metadata.annotations?.[countKey], '2');
});

test('a Job fails when more indexes than maxFailedIndexes have failed', async (t) => {
  const { running, end, conditions } = await startJob(
    t,
    perIndex({ completions: 3, parallelism: 3, backoffLimitPerIndex: 0, maxFailedIndexes: 1 }),
  );
  await end(byIndex(running(), 0), 1);
  assert.deepEqual(conditions(), []);
  await end(byIndex(running(), 1), 1);
  assert.equal(conditions()[0], 'FailureTarget: MaxFailedIndexesExceeded');
});

test('an ignored failure does not count toward the limit of its index', async (t) => {
  const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [7] } }];
  const { clock, cluster, running, end, status } = await startJob(
    t,
    perIndex({ backoffLimitPerIndex: 0, podFailurePolicy: { rules } }),
  );
  await end(byIndex(running(), 0), 7);
  clock.advance(10_000);
  await cluster.quiet();
  const { annotations } = byIndex(running(), 0)?.metadata ?? {};
  assert.deepEqual([annotations?.[countKey], annotations?.[ignoredKey]], ['0', '1']);
  assert.equal(status()['failed'], undefined);
  await end(byIndex(running(), 0), 1);
  assert.equal(status()['failedIndexes'], '0');
});

test('the action FailIndex fails an index before its limit', async (t) => {
  const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [7] } }];
  const { running, end, status } = await startJob(
    t,
    perIndex({ backoffLimitPerIndex: 5, podFailurePolicy: { rules } }),
  );
  await end(byIndex(running(), 1), 7);
  assert.equal(status()['failedIndexes'], '1');
  assert.equal(byIndex(running(), 1), undefined);
});

test('restarts of containers count toward the backoffLimit of a Job with the restartPolicy OnFailure', async (t) => {
  const { cluster, running, conditions } = await startJob(t, {
    backoffLimit: 2,
    template: template([], { restartPolicy: 'OnFailure' }),
  });
  const pods = cluster.resource('/v1/pods');
  const restarted = (restartCount: number) => (live: ApiObject) => {
    const containerStatuses = [{ name: 'c', image: 'i', imageID: '', ready: true, restartCount }];
    return { ...live, status: { phase: 'Running', containerStatuses } };
  };
  const [pod] = running();
  assert.ok(pod);
  pods.update(pod.metadata, restarted(1), { ...context, subresource: 'status' });
  await cluster.quiet();
  assert.deepEqual(conditions(), []);
  pods.update(pod.metadata, restarted(2), { ...context, subresource: 'status' });
  await cluster.quiet();
  assert.equal(conditions()[0], 'FailureTarget: BackoffLimitExceeded');
});

test('an Indexed Job deletes active Pods with the same index or without a valid index', async (t) => {
  const { cluster, running } = await startJob(t, { completionMode: 'Indexed', completions: 2, parallelism: 2 });
  const pods = cluster.resource('/v1/pods');
  const [first] = running();
  assert.ok(first);
  const { labels, ownerReferences, annotations } = first.metadata;
  for (const [name, own] of [
    ['same', annotations],
    ['odd', { [indexKey]: '9' }],
  ] as const) {
    const metadata = { ...at(name), labels, ownerReferences, annotations: own, finalizers: [tracking] };
    pods.create({ metadata, spec: objectAt(first, 'spec') }, context);
  }
  await cluster.quiet();
  const indexes = running()
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.annotations?.[indexKey]);
  assert.deepEqual(new Set(indexes), new Set(['0', '1']));
  assert.equal(indexes.length, 2);
});

test('a Job adopts matching Pods with the tracking finalizer, and releases Pods without the finalizer', async (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: ['jobs'], clock });
  const pods = cluster.resource('/v1/pods');
  const labels = { app: 'web' };
  const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
  pods.create({ metadata: { ...at('lone'), labels }, spec }, context);
  const job = { manualSelector: true, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
  cluster.resource('batch/v1/jobs').create({ metadata: at('job'), spec: job }, context);
  await cluster.quiet();
  const adopted = pods.get(at('lone')).metadata;
  assert.deepEqual([adopted.ownerReferences?.[0]?.name, adopted.finalizers], ['job', [tracking]]);
  const relabel = (live: ApiObject) => ({ ...live, metadata: { ...live.metadata, labels: { app: 'other' } } });
  pods.update(at('lone'), relabel, context);
  await cluster.quiet();
  const released = pods.get(at('lone')).metadata;
  assert.deepEqual([released.ownerReferences, released.finalizers], [undefined, undefined]);
  assert.equal(pods.list({ labelSelector: 'app=web' }).items.length, 1);
});

test('the deletion of a Job removes the tracking finalizer from active Pods', async (t) => {
  const { cluster, running } = await startJob(t, {});
  cluster.resource('batch/v1/jobs').delete(at('job'), { propagationPolicy: 'Orphan' }, context);
  await cluster.quiet();
  assert.equal(cluster.resource('batch/v1/jobs').find(at('job')), undefined);
  assert.deepEqual(
    running().map(({ metadata }) => [metadata.finalizers, metadata.ownerReferences]),
    [[undefined, undefined]],
  );
});

test('a Job with more succeeded Pods than completions reports a warning', async (t) => {
  const { cluster, running, end } = await startJob(t, { completions: 2, parallelism: 2 });
  const [one, two] = running();
  const pods = cluster.resource('/v1/pods');
  const done = (live: ApiObject) => ({ ...live, status: { phase: 'Succeeded' } });
  assert.ok(one && two);
  const { labels, ownerReferences } = one.metadata;
  pods.create(
    { metadata: { ...at('more'), labels, ownerReferences, finalizers: [tracking] }, spec: objectAt(one, 'spec') },
    context,
  );
  pods.update(at('more'), done, { ...context, subresource: 'status' });
  pods.update(one.metadata, done, { ...context, subresource: 'status' });
  await end(two, 0);
  assert.ok(cluster.eventsOf('job').some((text) => text.startsWith('TooManySucceededPods: ')));
});
