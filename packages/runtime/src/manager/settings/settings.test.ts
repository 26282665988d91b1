import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, type KubeObject } from '@kubewright/api';
import { Controller } from '../../controller/options/controller-decorator.js';
import type { Reconciler } from '../../controller/reconciler/reconciler.js';
import { Result } from '../../controller/reconciler/result.js';
import type { MetricsServerOptions } from '../../serving/metrics-server.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import type { ManagerOptions } from './manager-options.js';
import { Manager } from '../manager.js';
import { addedComponent } from '../components/component.js';
import { type ResolvedManagerOptions, resolveManagerOptions } from './resolved-manager-options.js';
import { RequestLimit } from '../../transport/request/request-limit.js';
import { AppliedSettings } from './applied-settings.js';
import { controllerSettings } from './controller-settings.js';
import { GivenSettings } from './given-settings.js';
import { MANAGER_SETTINGS } from './manager-settings.js';

type SettingSources = { readonly env?: Record<string, string>; readonly args?: readonly string[] };

function resolved({ env = {}, args = [] }: SettingSources, code: ManagerOptions = {}): ResolvedManagerOptions {
  return resolveManagerOptions({ ...code, settings: { env, args } });
}
/** Returns the setting with this name from the resolved options. */
function reported(name: string, { settings }: ResolvedManagerOptions) {
  return settings.find((setting) => setting.name === name);
}

test('a flag takes precedence over a variable, a variable over an option, and an option over the default', () => {
  const env = { KUBEWRIGHT_GRACE_PERIOD: '20s' };
  const args = ['--grace-period=10s'];
  const code = { gracePeriod: '40s' } as const;
  const cases = [
    [resolved({ env, args }, code), 10_000, 'flag', '--grace-period'],
    [resolved({ env }, code), 20_000, 'environment', 'KUBEWRIGHT_GRACE_PERIOD'],
    [resolved({}, code), 40_000, 'code', undefined],
    [resolved({}), 30_000, 'default', undefined],
  ] as const;
  for (const [options, ms, from, by] of cases) {
    assert.equal(options.gracePeriodMs, ms);
    const setting = reported('gracePeriod', options);
    assert.deepEqual([setting?.from, setting?.by, setting?.flag], [from, by, '--grace-period']);
  }
});

test('reads flags with and without =, uses the last of equal flags, and ignores unknown flags and flags after --', () => {
  assert.equal(resolved({ args: ['--sync-timeout', '3s'] }).syncTimeoutMs, 3000);
  assert.equal(resolved({ args: ['--sync-timeout=3s', '--sync-timeout=false'] }).syncTimeoutMs, undefined);
  assert.equal(resolved({ args: ['--', '--sync-timeout=3s'] }).syncTimeoutMs, 120_000);
  assert.equal(resolved({ args: ['serve', '--verbose', '--colour', 'red', '-x'] }).syncTimeoutMs, 120_000);
});

test('the value of a switch is optional, and the next argument is its value only if the argument is `false`', () => {
  const code = { leaderElection: 'mine' };
  assert.equal(resolved({ args: ['--leader-elect', 'serve'] }, code).leaderElection, 'mine');
  assert.equal(resolved({ args: ['--leader-elect=false'] }, code).leaderElection, undefined);
  assert.equal(resolved({ args: ['--leader-elect', 'false'] }, code).leaderElection, undefined);
  assert.equal(resolved({ env: { KUBEWRIGHT_LEADER_ELECT: '0' } }, code).leaderElection, undefined);
});

test('ignores an empty variable', () => {
  assert.equal(resolved({ env: { KUBEWRIGHT_GRACE_PERIOD: '' } }).gracePeriodMs, 30_000);
});

test('the error for an invalid value names the flag or variable, the value and the allowed values', () => {
  const code = 'INVALID_SETTING';
  const refused = (sources: SettingSources, message: RegExp) =>
    assert.throws(() => resolved(sources), { code, message });
  refused({ args: ['--grace-period=soon'] }, /--grace-period is 'soon'; use a duration such as '30s', or false/);
  refused({ env: { KUBEWRIGHT_LOG_LEVEL: 'loud' } }, /KUBEWRIGHT_LOG_LEVEL is 'loud'; use one of debug, info/);
  refused({ args: ['--controllers-concurrency=0'] }, /--controllers-concurrency is '0'; use a positive integer/);
  refused(
    { args: ['--sync-timeout=0s'] },
    /--sync-timeout is '0s'; use a duration greater than 0, such as '30s', or false/,
  );
  refused(
    { env: { KUBEWRIGHT_REQUEST_TIMEOUT: '0s' } },
    /KUBEWRIGHT_REQUEST_TIMEOUT is '0s'; use a duration greater than 0/,
  );
  refused({ args: ['--kubeconfig', '--verbose'] }, /--kubeconfig has no value; use a string/);
  refused(
    { args: ['--metrics-bind-address=8080'] },
    /--metrics-bind-address is '8080'; use an address such as ':8080'/,
  );
  refused({ args: ['--health=:70000'] }, /--health is ':70000'/);
  refused(
    { env: { KUBEWRIGHT_CONTROLLERS_CONCURRENCY_BY_KIND: 'Pod' } },
    /is 'Pod'; use a comma-separated list of names with positive integers/,
  );
  refused({ args: ['--leader-elect'] }, /--leader-elect enables leader election, but the name of the Lease is not set/);
  refused({ args: ['--leader-elect=maybe'] }, /--leader-elect is 'maybe'; use true or false/);
});

test('accepts the flag names of kubebuilder', () => {
  const args = [
    '--leader-elect',
    '--leader-election-id=op',
    '--metrics-bind-address=:8443',
    '--health-probe-bind-address=[::1]:8081',
    '--kubeconfig=/somewhere',
  ];
  const options = resolved({ args });
  assert.deepEqual(options.leaderElection, { name: 'op' });
  assert.equal(options.cluster.kubeconfig, '/somewhere');
  assert.deepEqual(reported('metrics', options)?.value, { port: 8443 });
  assert.deepEqual(reported('health', options)?.value, { port: 8081, host: '::1' });
  assert.equal(reported('metrics', resolved({ args: ['--metrics-bind-address=0'] }))?.value, false);
});

test('merges leader election flags with the option leaderElection, which can be a name, an object or undefined', () => {
  const args = ['--leader-election-namespace=ops', '--leader-election-duration=30s'];
  const more = { namespace: 'ops', duration: '30s' };
  assert.deepEqual(resolved({ args }, { leaderElection: 'mine' }).leaderElection, { name: 'mine', ...more });
  const labels = { team: 'a' };
  const code = { leaderElection: { name: 'mine', labels } };
  assert.deepEqual(resolved({ args }, code).leaderElection, { name: 'mine', labels, ...more });
  assert.equal(
    resolved({ args }).leaderElection,
    undefined,
    'the Lease has no name, and leader election is not enabled',
  );
  assert.equal(resolved({ args: [...args, '--leader-elect=false'] }, code).leaderElection, undefined);
  assert.deepEqual(resolved({ env: { KUBEWRIGHT_LEADER_ELECTION_NAME: 'theirs' } }).leaderElection, { name: 'theirs' });
});

test('with settings: false, ignores flags and variables and uses the options unchanged', () => {
  const before = process.env['KUBEWRIGHT_GRACE_PERIOD'];
  process.env['KUBEWRIGHT_GRACE_PERIOD'] = '1s';
  try {
    assert.equal(resolveManagerOptions({}).gracePeriodMs, 1000);
    assert.equal(resolveManagerOptions({ settings: false }).gracePeriodMs, 30_000);
  } finally {
    if (before === undefined) delete process.env['KUBEWRIGHT_GRACE_PERIOD'];
    else process.env['KUBEWRIGHT_GRACE_PERIOD'] = before;
  }
});

const Machine = defineKind({ group: 'test.dev', version: 'v1', kind: 'Machine', spec: { type: 'object' } });

@Controller({ for: Machine, timeout: '5s' })
class BigMachineController implements Reconciler<KubeObject> {
  async reconcile(): Promise<Result> {
    return Result.done();
  }
}
/** Returns the resolved options of a controller in a manager with these options, flags and variables. */
function controller(sources: SettingSources, code: ManagerOptions = {}) {
  const { controllers, given } = resolved(sources, code);
  const added = addedComponent(
    BigMachineController,
    new AppliedSettings({ controllers, given, settings: [] }).complete,
  );
  assert.ok('controller' in added);
  return added.controller.options;
}

test('flags of a controller take precedence over its variables, its options, and the options of the manager', () => {
  const code: ManagerOptions = { controllers: { concurrency: 2, timeout: '1m', warmUp: false } };
  const plain = controller({}, code);
  assert.deepEqual([plain.concurrency, plain.timeoutMs, plain.warmUp, plain.leaderOnly], [2, 5000, false, true]);
  const env = { KUBEWRIGHT_CONTROLLER_BIG_MACHINE_CONCURRENCY: '3', KUBEWRIGHT_CONTROLLER_BIG_MACHINE_TIMEOUT: '7s' };
  const args = ['--controller.big-machine.concurrency=4', '--controller.big-machine.backoff-max=1m'];
  const sources = controller({ env, args }, code);
  assert.deepEqual([sources.concurrency, sources.timeoutMs], [4, 7000]);
  assert.equal(controller({ args: ['--controllers-concurrency=9'] }, code).concurrency, 9);
});

test('accepts default concurrencies by kind, and applies the syncTimeout of the manager to controllers', () => {
  const code: ManagerOptions = {
    syncTimeout: '9s',
    controllers: { concurrency: 2, concurrencyByKind: { 'Machine.test.dev': 8 } },
  };
  const options = controller({}, code);
  assert.deepEqual([options.concurrency, options.syncTimeoutMs], [8, 9000]);
  assert.equal(controller({ args: ['--controllers-concurrency-by-kind=Machine.test.dev=5'] }, code).concurrency, 5);
  assert.throws(() => resolved({}, { controllers: { concurrencyByKind: { Pod: 0 } } }), {
    code: 'INVALID_MANAGER',
    message: /controllers\.concurrencyByKind\['Pod'\] is 0: it must be a positive integer/,
  });
});

test('settings() returns all settings, and the manager logs a warning for settings of unknown controllers', async () => {
  const logger = new RecordingLogger();
  const manager = new Manager({
    connection: { server: 'http://127.0.0.1:1' },
    logger,
    signals: false,
    syncTimeout: '50ms',
    settings: {
      env: { KUBEWRIGHT_CONTROLLER_BIG_MACHINE_EVERY: '1h' },
      args: ['--controller.big-machien.every=1h', '--controller.big-machine.evry=1h'],
    },
  }).add(BigMachineController);
  const settings = manager.settings();
  assert.ok(MANAGER_SETTINGS.every(({ name }) => settings.some((setting) => setting.name === name)));
  assert.deepEqual(settings.at(-1), {
    name: 'controller.big-machine.every',
    value: '1h',
    from: 'environment',
    by: 'KUBEWRIGHT_CONTROLLER_BIG_MACHINE_EVERY',
    variable: 'KUBEWRIGHT_CONTROLLER_BIG_MACHINE_EVERY',
    flag: '--controller.big-machine.every',
  });
  await assert.rejects(manager.start(), { code: 'NOT_SYNCED' });
  const unusedSettings = logger.lines.filter(({ level, fields }) => level === 'warn' && 'setting' in fields);
  assert.deepEqual(
    unusedSettings.map(({ fields }) => fields.setting),
    ['--controller.big-machien.every', '--controller.big-machine.evry'],
  );
});

test('a manager with the old name of a setting does not start, and the error contains the new name', async () => {
  const started = ({ env = {}, args = [] }: SettingSources): Promise<void> => {
    const connection = { server: 'http://127.0.0.1:1' };
    const logger = new RecordingLogger();
    return new Manager({ connection, logger, signals: false, settings: { env, args } })
      .add(BigMachineController)
      .start();
  };
  await assert.rejects(started({ args: ['--controller.big-machine.patience=1m'] }), {
    code: 'INVALID_SETTING',
    message: 'unknown setting --controller.big-machine.patience; it is now --controller.big-machine.starvation-limit',
  });
  await assert.rejects(started({ env: { KUBEWRIGHT_CONTROLLER_BIG_MACHINE_ERROR_CONDITION: 'Ready' } }), {
    code: 'INVALID_SETTING',
    message: /it is now KUBEWRIGHT_CONTROLLER_BIG_MACHINE_RECONCILE_CONDITION$/,
  });
});

test('logs the settings of flags and variables at the start, except the settings of the kubewright command', async () => {
  const logger = new RecordingLogger();
  const env = {
    KUBEWRIGHT_COMMAND_VARIABLES: 'KUBEWRIGHT_LEADER_ELECT,KUBEWRIGHT_LOG_FORMAT',
    KUBEWRIGHT_LEADER_ELECT: 'false',
    KUBEWRIGHT_GRACE_PERIOD: '20s',
  };
  const manager = new Manager({
    connection: { server: 'http://127.0.0.1:1' },
    logger,
    signals: false,
    syncTimeout: '50ms',
    settings: { env, args: ['--warnings=ignore'] },
  }).add(BigMachineController);
  await assert.rejects(manager.start(), { code: 'NOT_SYNCED' });
  const reported = logger.lines.find(({ message }) => message.startsWith('settings from'));
  assert.deepEqual(Object.keys(reported?.fields.settings ?? {}), ['warnings', 'gracePeriod']);
});

test('[CN-12, CN-14, CN-19, CN-22, CN-28, CN-29] a controller inherits the options of the manager that it does not set', () => {
  const controllers = { failFast: true, leaderOnly: false, concurrency: 7, syncTimeout: '9s', warmUp: false } as const;
  const options = controller({}, { controllers });
  assert.deepEqual(
    [options.failFast, options.leaderOnly, options.concurrency, options.syncTimeoutMs, options.warmUp],
    [true, false, 7, 9000, false],
  );
  assert.equal(options.timeoutMs, 5000, 'the decorator sets the timeout');
  const { controllers: defaults } = resolved({}, { controllers: { timeout: '3s' } });
  const { complete } = new AppliedSettings({ controllers: defaults, given: undefined, settings: [] });
  assert.equal(complete({ for: Machine }).timeout, '3s');
  assert.equal(complete({ for: Machine, timeout: '4s' }).timeout, '4s');
});

test('a flag or variable that selects a cluster overrides the option connection', () => {
  const connection = { server: 'https://127.0.0.1:1' };
  assert.equal(resolved({}, { connection }).cluster.connection, connection);
  assert.equal(resolved({ args: ['--kubeconfig=/k'] }, { connection }).cluster.connection, undefined);
  assert.equal(resolved({ env: { KUBEWRIGHT_CONTEXT: 'c' } }, { connection }).cluster.connection, undefined);
});

const PROTECTED = { secure: true, protect: true };

test('protects metrics in a Pod by default', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
  const metrics = (sources: SettingSources, code?: MetricsServerOptions) =>
    resolved(sources, code === undefined ? {} : { metrics: code }).servers.metrics;
  assert.deepEqual(metrics({ env }, { port: 9 }), { port: 9, ...PROTECTED });
  const files = { certFile: 'tls.crt', keyFile: 'tls.key' };
  assert.deepEqual(metrics({ env }, { secure: files }), { secure: files, protect: true });
  assert.deepEqual(metrics({ env, args: ['--metrics-bind-address=:9'] }), { port: 9, ...PROTECTED });
  assert.deepEqual(metrics({ env, args: ['--metrics-secure=false'] }), { secure: false });
  assert.deepEqual(metrics({ env }, { protect: false }), { protect: false });
  assert.deepEqual(metrics({}, { port: 9 }), { port: 9 });
  const settings = (env: SettingSources['env'] = {}) =>
    Object.fromEntries(resolved({ env }).settings.map(({ name, value, from }) => [name, [value, from]]));
  assert.deepEqual(settings(env)['metrics.protect'], [true, 'default']);
  assert.deepEqual(settings({})['metrics.protect'], [undefined, 'default']);
});

test('a manager enables metrics, health and webhooks by default only in a Pod without the option connection, and never profiling', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
  const served = (sources: SettingSources, code: ManagerOptions = {}) => resolved(sources, code).servers;
  assert.deepEqual(served({}), { metrics: false, health: false, webhooks: false, profiling: false });
  assert.deepEqual(served({ env }), { metrics: PROTECTED, health: {}, webhooks: {}, profiling: false });
  assert.deepEqual(served({ env }, { metrics: false, health: { port: 1 } }), {
    metrics: false,
    health: { port: 1 },
    webhooks: {},
    profiling: false,
  });
  assert.deepEqual(served({ env: { ...env, KUBEWRIGHT_METRICS: '0' } }).metrics, false);
  assert.deepEqual(served({ args: ['--metrics-bind-address=:9', '--metrics-secure'] }).metrics, {
    port: 9,
    secure: true,
  });
  assert.deepEqual(served({ args: ['--metrics=0', '--metrics-secure'] }).metrics, false);
  const connection = { server: 'https://127.0.0.1:1' };
  assert.deepEqual(
    served({ env }, { connection }).health,
    false,
    'no health endpoint by default with an explicit connection',
  );
});

test('settings() omits the content of a kubeconfig', () => {
  const text = 'kind: Config\nusers: [{ name: jane, user: { token: secret } }]\n';
  const given = [
    resolved({}, { kubeconfig: { inline: 'secret' } }),
    resolved({}, { kubeconfig: text }),
    resolved({ env: { KUBEWRIGHT_KUBECONFIG: text } }),
    resolved({ args: [`--kubeconfig=${text}`] }),
  ];
  for (const { settings } of given) {
    const { value } = settings.find(({ name }) => name === 'kubeconfig') ?? {};
    assert.equal(value, '(inline)');
  }
});

test('every setting has a unique variable and a unique flag', () => {
  const all = [...MANAGER_SETTINGS, ...controllerSettings('any')];
  const names = all.flatMap(({ variable, flag, aliases }) => [variable, flag, ...aliases]);
  assert.equal(new Set(names).size, names.length);
  for (const { variable, flag } of all) {
    assert.match(variable, /^KUBEWRIGHT_[A-Z_]+$/);
    assert.match(flag, /^--[a-z.-]+$/);
  }
});

test('flags and variables can set the request limit, cache selectors, finalizers and hot loops', () => {
  const given = {
    args: ['--request-limit=20/30', '--cache-labels=tier in (web, db)'],
    env: { KUBEWRIGHT_CACHE_FIELDS: 'metadata.name!=a' },
  };
  const { cluster, settings } = resolved(given, {
    requestLimit: new RequestLimit({ perSecond: 1 }),
    cache: { labels: { tier: 'web' }, keepManagedFields: true },
  });
  assert.deepEqual([cluster.requestLimit?.perSecond, cluster.requestLimit?.burst], [20, 30]);
  assert.deepEqual(cluster.cache, {
    labels: 'tier in (web, db)',
    fields: 'metadata.name!=a',
    keepManagedFields: true,
  });
  assert.equal(settings.find(({ name }) => name === 'requestLimit')?.value, '20/30');
  assert.equal(resolved({ args: ['--request-limit=0.5'] }).cluster.requestLimit?.burst, 1);
  for (const limit of ['0', '-1', 'fast', '20/0']) {
    assert.throws(() => resolved({ args: [`--request-limit=${limit}`] }), {
      code: 'INVALID_SETTING',
      message: /--request-limit is .*; use requests per second/,
    });
  }
  const byController = (args: readonly string[], env: Record<string, string> = {}) =>
    new AppliedSettings({ controllers: {}, given: new GivenSettings({ env, args }), settings: [] }).complete({
      for: Machine,
      hotLoops: 'damp',
    });
  const env = { KUBEWRIGHT_CONTROLLER_MACHINE_FINALIZER: 'example.com/machine' };
  const { hotLoops, finalizer } = byController(['--controller.machine.hot-loops=warn'], env);
  assert.deepEqual([hotLoops, finalizer], ['warn', 'example.com/machine']);
  assert.equal(byController(['--controller.machine.hot-loops=false']).hotLoops, false);
});
