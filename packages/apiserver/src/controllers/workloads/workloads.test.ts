import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt } from '../../registry/objects/json-object.js';
import { at, context, SteppedClock, startCluster, template, workload } from '../../server/cluster.test.support.js';

const reasons = (object: ApiObject): readonly (readonly unknown[])[] =>
  objectsAt(object, 'status', 'conditions').map(({ type, status, reason }) => [type, status, reason]);
const withImage =
  (image: string) =>
  (live: ApiObject): unknown => ({
    ...live,
    spec: {
      ...objectAt(live, 'spec'),
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
    },
  });
const withSpec =
  (spec: object) =>
  (live: ApiObject): unknown => ({ ...live, spec: { ...objectAt(live, 'spec'), ...spec } });
const job = (spec: object, command = 'exit 0'): object => ({
  metadata: { name: 'job', namespace: 'default' },
  spec: { template: template(['sh', '-c', command], { restartPolicy: 'Never' }), ...spec },
});

test('a server runs only the selected workloads', async (t) => {
  const cluster = startCluster(t, { workloads: ['deployments', 'replicasets'] });
  cluster.resource('apps/v1/deployments').create(workload(), context);
  await cluster.quiet();
  const pods = cluster.resource('/v1/pods').list().items;
  assert.deepEqual(
    pods.map((pod) => stringAt(pod, 'status', 'phase')),
    ['Pending', 'Pending'],
  );
  assert.equal(cluster.resource('/v1/nodes').list().items.length, 0);
});

test('a future run of a CronJob is not pending and starts at its scheduled time', async (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: true, clock });
  const cronJobs = cluster.resource('batch/v1/cronjobs');
  const schedule = { schedule: '30 9 * * *', timeZone: 'Europe/Berlin' };
  const jobTemplate = { spec: { template: template(['true'], { restartPolicy: 'Never' }) } };
  cronJobs.create({ metadata: at('cron'), spec: { ...schedule, jobTemplate } }, context);
  await cluster.quiet();
  assert.deepEqual(cluster.pending(), []);
  assert.deepEqual(cluster.resource('batch/v1/jobs').list().items, []);
  clock.advance(9 * 3_600_000);
  await cluster.quiet();
  const [run] = cluster.resource('batch/v1/jobs').list().items;
  assert.equal(
    run?.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'],
    '2026-01-01T09:30:00+01:00',
  );
  assert.deepEqual(reasons(run), [
    ['SuccessCriteriaMet', 'True', 'CompletionsReached'],
    ['Complete', 'True', 'CompletionsReached'],
  ]);
  const cron = cronJobs.get(at('cron'));
  assert.equal(stringAt(cron, 'status', 'lastScheduleTime'), '2026-01-01T08:30:00Z');
  assert.deepEqual(
    cluster.eventsOf('cron').map((text) => text.replace(/cron-\d+/, 'cron-N')),
    ['SuccessfulCreate: Created job cron-N', 'SawCompletedJob: Saw completed job: cron-N, condition: Complete'],
  );
});

test('a CronJob without possible runs gets an InvalidSchedule event', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const jobTemplate = { spec: { template: template(['true'], { restartPolicy: 'Never' }) } };
  const spec = { schedule: '0 0 31 2 *', jobTemplate };
  cluster.resource('batch/v1/cronjobs').create({ metadata: at('cron'), spec }, context);
  await cluster.quiet();
  const why = 'time difference between two schedules is less than 1 second';
  assert.deepEqual(cluster.eventsOf('cron'), [`InvalidSchedule: invalid schedule: 0 0 31 2 * : ${why}`]);
});

test('a CronJob limits its history of finished Jobs and does not start a concurrent Job with the policy Forbid', async (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: true, clock });
  const jobs = cluster.resource('batch/v1/jobs');
  const cronJobs = cluster.resource('batch/v1/cronjobs');
  const jobTemplate = { spec: { template: template(['true'], { restartPolicy: 'Never' }) } };
  cronJobs.create(
    { metadata: at('cron'), spec: { schedule: '* * * * *', successfulJobsHistoryLimit: 2, jobTemplate } },
    context,
  );
  for (let minute = 0; minute < 5; minute += 1) {
    await cluster.quiet();
    clock.advance(60_200);
  }
  await cluster.quiet();
  assert.equal(jobs.list().items.length, 2);
  const sleeping = { spec: { template: template(['sleep', '9'], { restartPolicy: 'Never' }) } };
  cronJobs.update(at('cron'), withSpec({ concurrencyPolicy: 'Forbid', jobTemplate: sleeping }), context);
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advance(60_200);
    await cluster.quiet();
  }
  assert.equal(objectsAt(cronJobs.get(at('cron')), 'status', 'active').length, 1);
  assert.ok(cluster.eventsOf('cron').some((text) => text.startsWith('JobAlreadyActive: ')));
});

test('a Job backs off after each failure and fails after the backoff limit', async (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: true, clock });
  const jobs = cluster.resource('batch/v1/jobs');
  const failed = (): number => numberAt(jobs.get(at('job')), 'status', 'failed') ?? 0;
  jobs.create(job({ backoffLimit: 2 }, 'exit 3'), context);
  await cluster.quiet();
  assert.equal(failed(), 1);
  clock.advance(9_000);
  await cluster.quiet();
  assert.equal(failed(), 1);
  clock.advance(1_000);
  await cluster.quiet();
  assert.equal(failed(), 2);
  clock.advance(19_000);
  await cluster.quiet();
  assert.equal(failed(), 2);
  clock.advance(1_000);
  await cluster.quiet();
  assert.deepEqual(reasons(jobs.get(at('job'))), [
    ['FailureTarget', 'True', 'BackoffLimitExceeded'],
    ['Failed', 'True', 'BackoffLimitExceeded'],
  ]);
});

test('a finished Job and its Pods are deleted after ttlSecondsAfterFinished', async (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: true, clock });
  const jobs = cluster.resource('batch/v1/jobs');
  jobs.create(job({ ttlSecondsAfterFinished: 60 }), context);
  await cluster.quiet();
  clock.advance(59_000);
  await cluster.quiet();
  assert.ok(jobs.find(at('job')));
  clock.advance(1_000);
  await cluster.quiet();
  assert.equal(jobs.find(at('job')), undefined);
  assert.deepEqual(cluster.resource('/v1/pods').list().items, []);
});

test('a rollout without progress exceeds its deadline, and continues after an update that makes progress possible', async (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: true, clock });
  const deployments = cluster.resource('apps/v1/deployments');
  const stuck = workload({ progressDeadlineSeconds: 60, template: template([], { nodeSelector: { no: 'where' } }) });
  deployments.create(stuck, context);
  await cluster.quiet();
  clock.advance(61_000);
  await cluster.quiet();
  assert.deepEqual(reasons(deployments.get(at('web'))).at(-1), ['Progressing', 'False', 'ProgressDeadlineExceeded']);
  deployments.update(at('web'), withImage('nginx:2'), context);
  await cluster.quiet();
  assert.deepEqual(reasons(deployments.get(at('web'))).at(-1), ['Progressing', 'True', 'NewReplicaSetAvailable']);
});

test('scaling during a rollout is distributed between old and new ReplicaSets', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const deployments = cluster.resource('apps/v1/deployments');
  const sets = cluster.resource('apps/v1/replicasets');
  deployments.create(workload({ replicas: 10 }), context);
  await cluster.quiet();
  const strict = { template: template([], { nodeSelector: { no: 'where' } }) };
  deployments.update(at('web'), withSpec(strict), context);
  await cluster.quiet();
  const sizes = (): readonly (number | undefined)[] =>
    sets
      .list()
      .items.map((set) => numberAt(set, 'spec', 'replicas'))
      .toSorted((a = 0, b = 0) => a - b);
  assert.deepEqual(sizes(), [5, 8]);
  deployments.update(at('web'), withSpec({ replicas: 20 }), context);
  await cluster.quiet();
  assert.deepEqual(sizes(), [10, 15]);
});

test('waiting for minReadySeconds is not pending work', async (t) => {
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: true, clock });
  const deployments = cluster.resource('apps/v1/deployments');
  deployments.create(workload({ minReadySeconds: 30 }), context);
  await cluster.quiet();
  assert.equal(numberAt(deployments.get(at('web')), 'status', 'availableReplicas'), undefined);
  clock.advance(30_000);
  await cluster.quiet();
  assert.equal(numberAt(deployments.get(at('web')), 'status', 'availableReplicas'), 2);
});

test('a StatefulSet with claims gets volumes of the default class and starts its Pods in order', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const sets = cluster.resource('apps/v1/statefulsets');
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  sets.create(workload({ volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }] }), context);
  await cluster.quiet();
  assert.equal(numberAt(sets.get(at('web')), 'status', 'availableReplicas'), 2);
  const claims = cluster.resource('/v1/persistentvolumeclaims').list().items;
  assert.deepEqual(
    claims.map((bound) => [
      bound.metadata.name,
      stringAt(bound, 'status', 'phase'),
      stringAt(bound, 'spec', 'storageClassName'),
    ]),
    [
      ['data-web-0', 'Bound', 'standard'],
      ['data-web-1', 'Bound', 'standard'],
    ],
  );
  assert.deepEqual(
    cluster
      .resource('/v1/persistentvolumes')
      .list()
      .items.map((volume) => stringAt(volume, 'status', 'phase')),
    ['Bound', 'Bound'],
  );
});

test('deletes a provisioned volume together with its claim', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const claims = cluster.resource('/v1/persistentvolumeclaims');
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  claims.create({ metadata: at('data'), spec }, context);
  await cluster.quiet();
  assert.equal(cluster.resource('/v1/persistentvolumes').list().items.length, 1);
  claims.delete(at('data'), {}, context);
  await cluster.quiet();
  assert.deepEqual(cluster.resource('/v1/persistentvolumes').list().items, []);
});

test('a DaemonSet runs Pods on new nodes and on nodes whose taints are removed', async (t) => {
  const cluster = startCluster(t, { workloads: ['daemonsets'] });
  const nodes = cluster.resource('/v1/nodes');
  const pods = cluster.resource('/v1/pods');
  const meant = (): readonly unknown[] =>
    pods.list().items.map((pod) => {
      const required = 'requiredDuringSchedulingIgnoredDuringExecution';
      const terms = objectsAt(pod, 'spec', 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms');
      return objectsAt(terms[0], 'matchFields')[0]?.['values'];
    });
  cluster
    .resource('apps/v1/daemonsets')
    .create(
      { metadata: at('web'), spec: { selector: { matchLabels: { app: 'web' } }, template: template() } },
      context,
    );
  nodes.create({ metadata: { name: 'one' } }, context);
  nodes.update({ name: 'one' }, withSpec({ taints: [] }), context);
  nodes.create({ metadata: { name: 'two' }, spec: { taints: [{ key: 'mine', effect: 'NoSchedule' }] } }, context);
  await cluster.quiet();
  assert.deepEqual(meant(), [['one']]);
  nodes.update({ name: 'two' }, withSpec({ taints: [] }), context);
  await cluster.quiet();
  assert.deepEqual(meant().map(String).toSorted(), ['one', 'two']);
});

test('an unschedulable Pod runs after a node gets the required label', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const pods = cluster.resource('/v1/pods');
  pods.create(
    { metadata: at('a'), spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'c', image: 'i' }] } },
    context,
  );
  await cluster.quiet();
  const [scheduled] = objectsAt(pods.get(at('a')), 'status', 'conditions');
  assert.equal(scheduled?.['reason'], 'Unschedulable');
  const label = (live: ApiObject): unknown => ({
    ...live,
    metadata: { ...live.metadata, labels: { ...live.metadata.labels, disk: 'ssd' } },
  });
  cluster.resource('/v1/nodes').update({ name: 'embedded' }, label, context);
  await cluster.quiet();
  assert.equal(stringAt(pods.get(at('a')), 'status', 'phase'), 'Running');
});

test('a change of the image of a running Pod restarts its container', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const pods = cluster.resource('/v1/pods');
  pods.create({ metadata: at('a'), spec: { containers: [{ name: 'c', image: 'web:1' }] } }, context);
  await cluster.quiet();
  const changed = (live: ApiObject): unknown => {
    const spec = objectAt(live, 'spec');
    const containers = objectsAt(live, 'spec', 'containers').map((container) => ({ ...container, image: 'web:2' }));
    return { ...live, spec: { ...spec, containers } };
  };
  pods.update(at('a'), changed, context);
  await cluster.quiet();
  const [status] = objectsAt(pods.get(at('a')), 'status', 'containerStatuses');
  assert.deepEqual([status?.['image'], status?.['restartCount'], status?.['ready']], ['web:2', 1, true]);
});

test('a Service has EndpointSlices of at most 100 endpoints', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  const spec = { selector: { app: 'web' }, ports: [{ port: 80 }] };
  cluster.resource('/v1/services').create({ metadata: at('web'), spec }, context);
  cluster.resource('apps/v1/replicasets').create(workload({ replicas: 120 }), context);
  await cluster.quiet();
  const slices = cluster.resource('discovery.k8s.io/v1/endpointslices');
  const sizes = slices
    .list({ namespace: 'default', labelSelector: 'kubernetes.io/service-name=web' })
    .items.map((slice) => objectsAt(slice, 'endpoints').length);
  assert.equal(
    sizes.reduce((sum, count) => sum + count, 0),
    120,
  );
  assert.ok(sizes.every((count) => count <= 100));
});

test('combines similar Events of an object from the 10th Event on, and drops all Events after the 25th Event', async (t) => {
  const cluster = startCluster(t, { workloads: true });
  cluster.resource('apps/v1/replicasets').create(workload({ replicas: 40 }), context);
  await cluster.quiet();
  const events = cluster.eventsOf('web');
  assert.equal(events.length, 10);
  assert.match(events[9] ?? '', /^SuccessfulCreate: \(combined from similar events\): Created pod: web-/);
  const combined = cluster.registry.store.list('/events').find((event) => Number(event['count']) > 1);
  assert.equal(combined?.['count'], 16);
});
