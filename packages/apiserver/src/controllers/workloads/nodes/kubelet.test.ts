import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { at, type Cluster, context, startCluster, SteppedClock } from '../../../server/cluster.test.support.js';
import type { PodBehaviour } from '../../simulation/pod-behaviour.js';
import { resolveNodes } from '../../simulation/node-declaration.js';
import { SimulatedPods } from '../../simulation/simulated-pods.js';

interface Bench {
  readonly cluster: Cluster;
  readonly simulated: SimulatedPods;
  /** Creates the Pod `a` and waits until nothing happens at the current time. */
  create(spec?: object, metadata?: object): Promise<void>;
  advance(ms: number): Promise<void>;
  pod(): ApiObject;
  /** The status of the first container as a text, such as `running ready 0`. */
  first(field?: 'containerStatuses' | 'initContainerStatuses'): string;
}

function startBench(t: TestContext, behaviour?: PodBehaviour): Bench {
  const simulated = new SimulatedPods(resolveNodes(1));
  if (behaviour !== undefined) simulated.behave({}, behaviour);
  const clock = new SteppedClock();
  const cluster = startCluster(t, { workloads: ['pods'], clock, simulated });
  const pods = cluster.resource('/v1/pods');
  const pod = (): ApiObject => pods.get(at('a'));
  return {
    cluster,
    simulated,
    create: async (spec = {}, metadata = {}) => {
      const containers = [{ name: 'c', image: 'web:1' }];
      pods.create({ metadata: { ...at('a'), ...metadata }, spec: { containers, ...spec } }, context);
      await cluster.quiet();
    },
    advance: async (ms) => {
      clock.advance(ms);
      await cluster.quiet();
    },
    pod,
    first: (field = 'containerStatuses') => stateText(objectsAt(pod(), 'status', field)[0]),
  };
}

/** Returns the state, the reason or exit code, whether the container is ready, and the number of restarts. */
function stateText(status: JsonDraft | undefined): string {
  const [[kind, state] = ['none', {}]] = Object.entries(objectAt(status, 'state'));
  const { exitCode, reason } = state as JsonDraft;
  const ready = status?.['ready'] === true ? 'ready' : undefined;
  return [kind, exitCode, reason, ready, status?.['restartCount']].filter((part) => part !== undefined).join(' ');
}

const conditionText = (pod: ApiObject, type: string): string => {
  const found = objectsAt(pod, 'status', 'conditions').find((condition) => condition['type'] === type);
  return [found?.['status'], found?.['reason'], found?.['message']].filter((part) => part !== undefined).join(': ');
};

test('a container that always fails restarts immediately, and then after 10 s, 20 s and 40 s', async (t) => {
  const bench = startBench(t, { exitCode: 3 });
  await bench.create();
  assert.equal(bench.first(), 'waiting CrashLoopBackOff 1');
  const [status] = objectsAt(bench.pod(), 'status', 'containerStatuses');
  assert.equal(
    stringAt(status, 'state', 'waiting', 'message'),
    `back-off 10s restarting failed container=c pod=a_default(${bench.pod().metadata.uid})`,
  );
  assert.equal(objectAt(status, 'lastState', 'terminated')['exitCode'], 3);
  for (const [seconds, restarts] of [
    [10, 2],
    [20, 3],
    [40, 4],
  ] as const) {
    await bench.advance(seconds * 1000 - 1);
    assert.equal(bench.first(), `waiting CrashLoopBackOff ${restarts - 1}`);
    await bench.advance(1);
    assert.equal(bench.first(), `waiting CrashLoopBackOff ${restarts}`);
  }
  assert.equal(stringAt(bench.pod(), 'status', 'phase'), 'Running');
  assert.ok(
    bench.cluster.eventsOf('a').some((text) => text.startsWith('BackOff: Back-off restarting failed container c')),
  );
});

test('a list of exit codes states the first runs, after which the container keeps running', async (t) => {
  const bench = startBench(t, { exitCode: [1, 1], restartAfter: '0s' });
  await bench.create();
  assert.equal(bench.first(), 'running ready 2');
});

test('the restart policy decides whether a Pod with stated exit codes restarts, succeeds or fails', async (t) => {
  for (const [restartPolicy, exitCode, phase] of [
    ['Never', 0, 'Succeeded'],
    ['Never', 7, 'Failed'],
    ['OnFailure', [7, 0], 'Succeeded'],
  ] as const) {
    const bench = startBench(t, { exitCode, runFor: '5s' });
    await bench.create({ restartPolicy });
    assert.equal(bench.first(), 'running ready 0');
    await bench.advance(4999);
    assert.equal(bench.first(), 'running ready 0');
    await bench.advance(1);
    await bench.advance(5000);
    assert.equal(stringAt(bench.pod(), 'status', 'phase'), phase);
  }
});

test('an exit has the stated reason and message', async (t) => {
  const bench = startBench(t, { exitCode: 137, exitReason: 'OOMKilled', exitMessage: 'out of memory' });
  await bench.create({ restartPolicy: 'Never' });
  const [status] = objectsAt(bench.pod(), 'status', 'containerStatuses');
  const { exitCode, reason, message } = objectAt(status, 'state', 'terminated');
  assert.deepEqual([exitCode, reason, message], [137, 'OOMKilled', 'out of memory']);
});

test('a Pod becomes ready at the stated time, and unready when another behavior is stated', async (t) => {
  const bench = startBench(t, { startAfter: '2s', readyAfter: '3s' });
  await bench.create();
  assert.equal(bench.first(), 'waiting ContainerCreating 0');
  assert.equal(stringAt(bench.pod(), 'status', 'phase'), 'Pending');
  await bench.advance(2000);
  assert.equal(bench.first(), 'running 0');
  const unready = 'False: ContainersNotReady: containers with unready status: [c]';
  assert.equal(conditionText(bench.pod(), 'Ready'), unready);
  await bench.advance(3000);
  assert.equal(bench.first(), 'running ready 0');
  assert.equal(conditionText(bench.pod(), 'Ready'), 'True');
  const remove = bench.simulated.behave({ name: 'a' }, { readyAfter: 'never' });
  await bench.cluster.quiet();
  assert.equal(conditionText(bench.pod(), 'Ready'), unready);
  remove();
  await bench.cluster.quiet();
  assert.equal(conditionText(bench.pod(), 'Ready'), 'True');
});

test('a failed liveness probe restarts the container', async (t) => {
  const bench = startBench(t, { livenessFailsAfter: '30s' });
  await bench.create();
  await bench.advance(30_000);
  assert.equal(bench.first(), 'running ready 1');
  const [status] = objectsAt(bench.pod(), 'status', 'containerStatuses');
  assert.equal(objectAt(status, 'lastState', 'terminated')['exitCode'], 137);
  const reasons = bench.cluster.eventsOf('a').map((text) => text.split(':', 1)[0]);
  assert.ok(reasons.includes('Unhealthy') && reasons.includes('Killing'));
});

test('a container with a reason to wait does not start until the reason is removed', async (t) => {
  const bench = startBench(t);
  const remove = bench.simulated.behave({}, { waiting: 'ImagePullBackOff' });
  await bench.create();
  assert.equal(bench.first(), 'waiting ImagePullBackOff 0');
  remove();
  await bench.cluster.quiet();
  assert.equal(bench.first(), 'running ready 0');
});

test('init containers run in order, and a failed init container restarts', async (t) => {
  const bench = startBench(t, { containers: { i: { exitCode: [1, 0] }, j: { exitCode: 0, runFor: '1s' } } });
  const initContainers = ['i', 'j'].map((name) => ({ name, image: 'init:1' }));
  await bench.create({ initContainers });
  const states = (): readonly string[] => objectsAt(bench.pod(), 'status', 'initContainerStatuses').map(stateText);
  assert.deepEqual(states(), ['terminated 0 Completed ready 1', 'running 0']);
  assert.equal(bench.first(), 'waiting PodInitializing 0');
  const incomplete = 'False: ContainersNotInitialized: containers with incomplete status: [j]';
  assert.equal(conditionText(bench.pod(), 'Initialized'), incomplete);
  await bench.advance(1000);
  assert.deepEqual(states(), ['terminated 0 Completed ready 1', 'terminated 0 Completed ready 0']);
  assert.equal(bench.first(), 'running ready 0');
});

test('a Pod with the restart policy Never fails with its init container', async (t) => {
  const bench = startBench(t, { containers: { i: { exitCode: 2 } } });
  await bench.create({ restartPolicy: 'Never', initContainers: [{ name: 'i', image: 'init:1' }] });
  assert.equal(stringAt(bench.pod(), 'status', 'phase'), 'Failed');
  assert.equal(bench.first('initContainerStatuses'), 'terminated 2 Error 0');
});

test('sidecars end after all containers have ended', async (t) => {
  const bench = startBench(t, { exitCode: 0, runFor: '1s' });
  const sidecar = { name: 's', image: 'proxy:1', restartPolicy: 'Always' };
  await bench.create({ restartPolicy: 'Never', initContainers: [sidecar] });
  assert.equal(bench.first('initContainerStatuses'), 'running ready 0');
  await bench.advance(1000);
  assert.equal(stringAt(bench.pod(), 'status', 'phase'), 'Succeeded');
  assert.equal(bench.first('initContainerStatuses'), 'terminated 0 Completed 0');
});

test('a deleted Pod ends at the stated time, and after its grace period at the latest', async (t) => {
  for (const [stopAfter, seconds] of [
    ['5s', 5],
    ['never', 30],
  ] as const) {
    const bench = startBench(t, { stopAfter });
    const pods = bench.cluster.resource('/v1/pods');
    await bench.create();
    pods.delete(at('a'), {}, context);
    await bench.cluster.quiet();
    await bench.advance(seconds * 1000 - 1);
    assert.ok(pods.find(at('a')));
    await bench.advance(1);
    assert.equal(pods.find(at('a')), undefined);
  }
});

test('annotations state the behavior of all containers and of single containers, and `behave` takes precedence', async (t) => {
  const bench = startBench(t);
  bench.simulated.behave('app=web', { exitCode: 'none' });
  const annotations = {
    'pod.kubewright.dev/ready-after': 'never',
    'pod.kubewright.dev/exit-code': '1',
    'pod.kubewright.dev/ready-after.d': '0s',
  };
  const containers = ['c', 'd'].map((name) => ({ name, image: 'web:1' }));
  await bench.create({ containers }, { annotations, labels: { app: 'web' } });
  const states = objectsAt(bench.pod(), 'status', 'containerStatuses').map(stateText);
  assert.deepEqual(states, ['running 0', 'running ready 0']);
});

test('an annotation that is not valid causes an Event with the valid choices', async (t) => {
  const bench = startBench(t);
  const annotations = {
    'pod.kubewright.dev/waiting': 'ImagePulBackOff',
    'pod.kubewright.dev/exit-codes': '1',
    'pod.kubewright.dev/exit-code.x': '1',
    'pod.kubewright.dev/exit-code': '256',
  };
  await bench.create({}, { annotations });
  assert.equal(bench.first(), 'running ready 0');
  const prefix = 'InvalidBehavior: ';
  const problems = bench.cluster.eventsOf('a').filter((text) => text.startsWith(prefix));
  assert.deepEqual(
    problems.map((text) => text.slice(prefix.length, prefix.length + 62)),
    [
      "annotation pod.kubewright.dev/waiting is 'ImagePulBackOff'; us",
      'unknown annotation pod.kubewright.dev/exit-codes; use pod.kube',
      'annotation pod.kubewright.dev/exit-code.x names an unknown con',
      "annotation pod.kubewright.dev/exit-code is '256'; use an exit ",
    ],
  );
});

test('a Pod fails after its activeDeadlineSeconds', async (t) => {
  const bench = startBench(t);
  await bench.create({ activeDeadlineSeconds: 30, restartPolicy: 'Never' });
  await bench.advance(29_999);
  assert.equal(bench.first(), 'running ready 0');
  await bench.advance(1);
  assert.equal(bench.first(), 'terminated 137 Error 0');
  const { phase, reason } = objectAt(bench.pod(), 'status');
  assert.deepEqual([phase, reason], ['Failed', 'DeadlineExceeded']);
  assert.equal(conditionText(bench.pod(), 'Ready'), 'False: PodFailed');
});

test('an ephemeral container starts in a running Pod', async (t) => {
  const bench = startBench(t);
  await bench.create();
  const ephemeralContainers = [{ name: 'debug', image: 'busybox', terminationMessagePolicy: 'File' }];
  const add = (live: ApiObject): unknown => ({ ...live, spec: { ...objectAt(live, 'spec'), ephemeralContainers } });
  const pods = bench.cluster.resource('/v1/pods');
  pods.update(at('a'), add, { ...context, verb: 'update', subresource: 'ephemeralcontainers' });
  await bench.cluster.quiet();
  const [status] = objectsAt(bench.pod(), 'status', 'ephemeralContainerStatuses');
  assert.equal(stateText(status), 'running ready 0');
});

test('a preStop hook that sleeps delays the end of a deleted Pod', async (t) => {
  const bench = startBench(t);
  const lifecycle = { preStop: { sleep: { seconds: 5 } } };
  await bench.create({ containers: [{ name: 'c', image: 'web:1', lifecycle }] });
  const pods = bench.cluster.resource('/v1/pods');
  pods.delete(at('a'), {}, context);
  await bench.cluster.quiet();
  await bench.advance(4999);
  assert.ok(pods.find(at('a')));
  await bench.advance(1);
  assert.equal(pods.find(at('a')), undefined);
});

test('a Pod whose readiness gate a client closes is not ready', async (t) => {
  const bench = startBench(t);
  await bench.create({ readinessGates: [{ conditionType: 'example.com/gate' }] });
  assert.equal(conditionText(bench.pod(), 'Ready'), 'True');
  const close = (live: ApiObject): unknown => {
    const conditions = objectsAt(live, 'status', 'conditions').map((condition) =>
      condition['type'] === 'example.com/gate' ? { ...condition, status: 'False' } : condition,
    );
    return { ...live, status: { ...objectAt(live, 'status'), conditions } };
  };
  bench.cluster.resource('/v1/pods').update(at('a'), close, { ...context, subresource: 'status' });
  await bench.cluster.quiet();
  const why = 'the status of pod readiness gate "example.com/gate" is not "True", but False';
  assert.equal(conditionText(bench.pod(), 'Ready'), `False: ReadinessGatesNotReady: ${why}`);
  assert.equal(conditionText(bench.pod(), 'ContainersReady'), 'True');
});
