import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubewrightError } from '@kubewright/api/errors';
import { Gate, isSettled } from '../test-support/gate.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { aborted } from '../waiting/aborted.js';
import { Discovery } from '../transport/discovery/discovery.js';
import { Transport } from '../transport/sending/transport.js';
import type { Cluster } from './cluster/cluster.js';
import type { ManagerOptions } from './settings/manager-options.js';
import { Manager } from './manager.js';
import type { Runnable } from './components/runnable.js';

/** Returns a manager with an unreachable server, and functions that create components. The components record when they start and end. */
function setUp(options: ManagerOptions = {}) {
  const order: string[] = [];
  const logger = new RecordingLogger();
  const clock = new ManualClock();
  const manager = new Manager({
    connection: { server: 'http://127.0.0.1:1' },
    signals: false,
    logger,
    clock,
    ...options,
  });
  const runnable = (name: string, more: Partial<Runnable> = {}): Runnable => ({
    name,
    run: async (signal) => {
      order.push(`+${name}`);
      await aborted(signal);
      order.push(`-${name}`);
    },
    ...more,
  });
  const endpoint = (name: string) => ({
    name,
    address: undefined,
    listen: async () => void order.push(`+${name}`),
    [Symbol.asyncDispose]: async () => void order.push(`-${name}`),
  });
  const cluster = (name: string): Cluster => ({
    client: manager.client,
    cache: manager.cache,
    events: manager.events,
    connection: manager.connection,
    discovery: new Discovery(new Transport({ server: 'http://127.0.0.1:1' })),
    [Symbol.asyncDispose]: async () => void order.push(`-${name}`),
  });
  return { manager, order, logger, clock, runnable, endpoint, cluster };
}

/** Returns the codes of the errors that were logged. */
function errorCodes({ lines }: RecordingLogger): readonly unknown[] {
  return lines.flatMap(({ level, fields: { error } }) => (level === 'error' ? [(error as KubewrightError).code] : []));
}

test('[RG-01, RG-02, RG-04, MG-30] starts endpoints, clusters, other runnables and leader-only runnables in this order, and stops them in reverse order', async () => {
  const { manager, order, runnable, endpoint, cluster } = setUp();
  manager.add(
    runnable('leading'),
    runnable('anywhere', { leaderOnly: false }),
    cluster('cluster'),
    endpoint('endpoint'),
  );
  await manager.start();
  assert.deepEqual(order, ['+endpoint', '+anywhere', '+leading']);
  await manager.stop();
  await manager.stopped;
  assert.deepEqual(order.slice(3), ['-leading', '-anywhere', '-cluster', '-endpoint']);
});

test('[RG-05, RG-06] calls the warm-up of a component before leader-only runnables start, and runs the component in its group', async () => {
  for (const leaderOnly of [true, false]) {
    const { manager, order, runnable } = setUp();
    const warmUp = async (): Promise<void> => void order.push('warm');
    manager.add(
      runnable('part', { leaderOnly, warmUp }),
      runnable('leading'),
      runnable('anywhere', { leaderOnly: false }),
    );
    await manager.start();
    const expected = leaderOnly
      ? ['+anywhere', 'warm', '+part', '+leading']
      : ['+part', '+anywhere', 'warm', '+leading'];
    assert.deepEqual(order, expected);
    await manager.stop();
  }
});

test('[RG-07] an error of a warm-up stops the manager', async () => {
  const { manager, runnable } = setUp();
  const gate = new Gate();
  manager.add(runnable('part', { warmUp: () => gate.promise }));
  await manager.start();
  gate.fail(new Error('no warm water'));
  await assert.rejects(manager.stopped, /no warm water/);
});

test('[MG-36] start rejects with the error of a component that fails to start, after the running components have stopped', async () => {
  const { manager, order, runnable, endpoint } = setUp();
  manager.add(endpoint('endpoint'), runnable('bad', { ready: () => Promise.reject(new Error('not today')) }));
  await assert.rejects(manager.start(), /not today/);
  await assert.rejects(manager.stopped, /not today/);
  assert.deepEqual(order, ['+endpoint', '+bad', '-bad', '-endpoint']);
});

test('[MG-38] stop waits until all runnables have ended', async () => {
  const { manager, runnable } = setUp();
  const gate = new Gate();
  manager.add(runnable('slow', { run: () => gate.promise }));
  await manager.start();
  const stopped = manager.stop();
  assert.equal(await isSettled(stopped), false);
  gate.open();
  await stopped;
});

test('[MG-39] a failing component stops the manager, and the manager waits for the other components', async () => {
  const { manager, order, runnable } = setUp();
  const gate = new Gate();
  const slow = new Gate();
  manager.add(
    runnable('failing', { run: () => gate.promise }),
    runnable('slow', {
      run: async (signal) => {
        await aborted(signal);
        await slow.promise;
        order.push('slow has ended');
      },
    }),
  );
  await manager.start();
  gate.fail(new Error('broken'));
  assert.equal(await isSettled(manager.stopped), false);
  slow.open();
  await assert.rejects(manager.stopped, /broken/);
  assert.deepEqual(order, ['slow has ended']);
});

test('[MG-59, MG-60] immediately runs a component that is added to a running manager', async () => {
  const { manager, order, runnable, endpoint } = setUp();
  await manager.start();
  manager.add(runnable('first'));
  manager.add(runnable('second', { leaderOnly: false }), endpoint('endpoint'));
  assert.deepEqual(order, ['+first', '+second', '+endpoint']);
  await manager.stop();
  assert.deepEqual(order.slice(3), ['-first', '-second', '-endpoint']);
});

test('[MG-37] when a manager stops, it closes a cluster that was added while it ran', async () => {
  const { manager, order, cluster } = setUp();
  await manager.start();
  manager.add(cluster('cluster'));
  await manager.stop();
  assert.deepEqual(order, ['-cluster']);
});

test('[MG-40] rejects new components while the manager is stopping and after the stop', async () => {
  const { manager, runnable } = setUp();
  const gate = new Gate();
  manager.add(runnable('slow', { run: () => gate.promise }));
  await manager.start();
  const stopped = manager.stop();
  assert.throws(() => manager.add(runnable('late')), { code: 'STOPPED', message: /the manager is stopping/ });
  gate.open();
  await stopped;
  assert.throws(() => manager.add(runnable('late')), { code: 'STOPPED' });
});

test('[MG-41] does not report an AbortError of a runnable, or an error that a runnable throws because its signal is aborted', async () => {
  const { manager, logger, runnable } = setUp();
  const run = async (signal: AbortSignal): Promise<void> => {
    await aborted(signal);
    signal.throwIfAborted();
  };
  manager.add(runnable('obedient', { run }));
  manager.add(runnable('giving up', { run: () => Promise.reject(new DOMException('gave up', 'AbortError')) }));
  await manager.start();
  await manager.stop();
  await manager.stopped;
  assert.deepEqual(
    logger.lines.filter(({ level }) => level === 'error'),
    [],
  );
});

test('[MG-43] reports both an error of a component and an error of the stop', async () => {
  const { manager, clock, runnable } = setUp({ gracePeriod: '10s' });
  const gate = new Gate();
  manager.add(
    runnable('failing', { run: () => gate.promise }),
    runnable('stuck', { run: () => new Promise(() => undefined) }),
  );
  await manager.start();
  gate.fail(new Error('broken'));
  await clock.scheduled(10_000);
  clock.advance(10_000);
  await assert.rejects(manager.stopped, (error: AggregateError) => {
    assert.match(
      error.message,
      /^broken; the manager is stopping, and the following did not return within 10 s: stuck;/,
    );
    assert.deepEqual(
      error.errors.map(({ code, message }) => code ?? message),
      ['broken', 'GRACE_PERIOD_EXCEEDED'],
    );
    return true;
  });
});

test('[MG-44] reports only the error of the stop if no component failed', async () => {
  const { manager, clock, runnable, logger } = setUp({ gracePeriod: '10s' });
  manager.add(runnable('stuck', { run: () => new Promise(() => undefined) }));
  await manager.start();
  const stopped = manager.stop();
  await clock.scheduled(10_000);
  clock.advance(9_999);
  assert.equal(await isSettled(stopped), false);
  clock.advance(1);
  await stopped;
  await assert.rejects(manager.stopped, {
    code: 'GRACE_PERIOD_EXCEEDED',
    message: /the following did not return within \d+ s: stuck/,
  });
  assert.deepEqual(
    errorCodes(logger),
    ['GRACE_PERIOD_EXCEEDED'],
    'the error is also logged, for callers that do not wait for the stop',
  );
});

test('[MG-45] reports only the error of a component if the stop succeeds', async () => {
  const { manager, runnable } = setUp();
  const gate = new Gate();
  const broken = new Error('broken');
  manager.add(runnable('failing', { run: () => gate.promise }), runnable('good'));
  await manager.start();
  gate.fail(broken);
  await assert.rejects(manager.stopped, (error) => error === broken);
});

test('[MG-46] with a grace period of 0, stops without waiting for components and without an error', async () => {
  const { manager, runnable, order } = setUp({ gracePeriod: '0s' });
  manager.add(runnable('stuck', { run: () => new Promise(() => undefined) }), runnable('good'));
  await manager.start();
  await manager.stop();
  await manager.stopped;
  assert.deepEqual(order, ['+good', '-good']);
});

test('[MG-47] with a grace period of false, waits for components without a limit', async () => {
  const { manager, runnable, clock } = setUp({ gracePeriod: false });
  const gate = new Gate();
  manager.add(runnable('slow', { run: () => gate.promise }));
  await manager.start();
  const stopped = manager.stop();
  clock.advance(365 * 24 * 3_600_000);
  assert.equal(await isSettled(stopped), false);
  gate.open();
  await stopped;
  await manager.stopped;
});

test('[MG-61] start rejects if the manager was already started or stopped', async () => {
  const { manager } = setUp();
  await manager.start();
  await assert.rejects(manager.start(), { code: 'ALREADY_STARTED' });
  await manager.stop();
  await assert.rejects(manager.start(), { code: 'ALREADY_STARTED' });
});

test('logs an error that a runnable throws during the stop, and the stop succeeds', async () => {
  const { manager, runnable, logger } = setUp();
  const run = async (signal: AbortSignal): Promise<void> => {
    await aborted(signal);
    throw new Error('could not flush');
  };
  manager.add(runnable('sloppy', { run }));
  await manager.start();
  await manager.stop();
  await manager.stopped;
  assert.ok(
    logger.lines.some(
      ({ level, message }) => level === 'error' && message === 'sloppy failed while the manager was stopping',
    ),
  );
});

test('the error for an option out of range names the option and the fix', () => {
  const made = (options: object) => () => setUp(options);
  assert.throws(made({ gracePeriod: '30' }), {
    code: 'INVALID_MANAGER',
    message: /gracePeriod is '30': use a duration/,
  });
  assert.throws(made({ syncTimeout: 5 }), { code: 'INVALID_MANAGER', message: /syncTimeout is 5: / });
  assert.throws(made({ syncTimeout: '0s' }), {
    code: 'INVALID_MANAGER',
    message: /: syncTimeout is '0s': use a duration greater than 0/,
  });
  assert.throws(made({ leaderElecton: 'a' }), {
    code: 'INVALID_MANAGER',
    message: /unknown option 'leaderElecton'; use one of .*leaderElection, /,
  });
  assert.throws(made({ controllers: { concurency: 2 } }), {
    code: 'INVALID_MANAGER',
    message: /: controllers\.concurency: unknown option; use one of concurrency, concurrencyByKind, timeout,/,
  });
  // Options that identify a single controller, such as `name`, have no default in the manager.
  assert.throws(made({ controllers: { name: 'all' } }), { message: /controllers\.name: unknown option/ });
  assert.throws(made({ signals: 'SIGTERM' }), { code: 'INVALID_MANAGER', message: /signals is 'SIGTERM': / });
  assert.throws(made({ signals: { SIGTERM: 'x' } }), { message: /signals is \{ SIGTERM: … \}: use false, or a list/ });
  assert.throws(made({ namespaces: [''] }), { code: 'INVALID_MANAGER', message: /namespaces/ });
  assert.throws(made({ hooks: { begin: () => undefined } }), {
    code: 'INVALID_MANAGER',
    message: /one of beforeStart/,
  });
  assert.throws(made({ hooks: { started: 5 } }), {
    code: 'INVALID_MANAGER',
    message: /hooks\.started is 5: use a function/,
  });
  assert.throws(made({ controllers: { concurrency: 0 } }), {
    code: 'INVALID_MANAGER',
    message: /controllers\.concurrency is 0/,
  });
  assert.throws(() => setUp().manager.on('begin' as never, () => undefined), { code: 'INVALID_MANAGER' });
});

test('runs components that are added by a hook or a runnable', async () => {
  const { manager, order, runnable, clock } = setUp();
  const added = new Gate();
  manager.on('beforeStart', () => void manager.add(runnable('by beforeStart')));
  manager.on('started', () => void manager.add(runnable('by started')));
  manager.add({
    run: async () => {
      manager.add(runnable('by a runnable', { leaderOnly: false }));
      added.open();
    },
  });
  await manager.start();
  await added.promise;
  assert.deepEqual(order.toSorted(), ['+by a runnable', '+by beforeStart', '+by started']);
  await manager.stop();
  assert.deepEqual(clock.pendingMs, [], 'no timer is pending');
});

test('start rejects if a hook stops the manager', async () => {
  const { manager, order, runnable } = setUp();
  manager.on('beforeStart', () => void manager.stop());
  manager.add(runnable('never'));
  await assert.rejects(manager.start(), { code: 'STOPPED' });
  await manager.stopped;
  assert.deepEqual(order, []);
});

test('calls the hooks of the options before the hooks that are added later', async () => {
  const order: string[] = [];
  const note = (what: string) => async () => void order.push(what);
  const { manager, runnable } = setUp({
    hooks: {
      beforeStart: note('before'),
      started: note('started'),
      stopping: note('stopping'),
      stopped: note('stopped'),
    },
  });
  manager.on('started', note('started, too'));
  const forget = manager.on('started', note('never'));
  forget();
  manager.add(
    runnable('part', {
      run: async (signal) => {
        order.push('+part');
        await aborted(signal);
        order.push('-part');
      },
    }),
  );
  await manager.start();
  await manager.stop();
  assert.deepEqual(order, ['before', '+part', 'started', 'started, too', 'stopping', '-part', 'stopped']);
});

test('a hook receives the manager and can add components', async () => {
  const { manager, order, runnable } = setUp({
    hooks: { started: ({ manager: given }) => void given.add(runnable('by the hook')) },
  });
  manager.on('stopping', ({ manager: given, signal }) => {
    assert.equal(given, manager);
    assert.equal(signal.aborted, true);
  });
  await manager.start();
  await manager.stop();
  await manager.stopped;
  assert.deepEqual(order, ['+by the hook', '-by the hook']);
});

test('start rejects if a hook throws, and the error names the hook', async () => {
  for (const name of ['beforeStart', 'started'] as const) {
    const cause = new Error('no database');
    const { manager } = setUp({ hooks: { [name]: () => Promise.reject(cause) } });
    await assert.rejects(manager.start(), {
      code: 'HOOK_FAILED',
      message: `hook '${name}' of the manager failed: no database`,
      cause,
    });
  }
});

test('an error of a hook during the stop is logged and does not prevent the stop', async () => {
  const { manager, order, runnable, logger } = setUp({ hooks: { stopping: () => Promise.reject(new Error('oh')) } });
  manager.add(runnable('part'));
  await manager.start();
  await manager.stop();
  await assert.rejects(manager.stopped, { code: 'HOOK_FAILED' });
  assert.deepEqual(order, ['+part', '-part']);
  assert.deepEqual(errorCodes(logger), ['HOOK_FAILED']);
});

test('the log line of the start contains the addresses of the endpoints if the manager serves endpoints', async () => {
  const local = { host: '127.0.0.1', port: 0 };
  for (const options of [{ health: local }, {}]) {
    const { manager, logger } = setUp(options);
    await manager.start();
    const { address } = manager.health;
    const line = logger.lines.find(({ message }) => message === 'started');
    assert.deepEqual(line?.fields, { controllers: [], ...(address && { endpoints: { health: address } }) });
    await manager.stop();
  }
});
