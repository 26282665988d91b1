import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as api from '@kubewright/api';
import * as runtime from '@kubewright/runtime';
import * as testing from '@kubewright/testing';
import { membersIn, membersOf, OptionsPage, pickedIn, type Reported } from './options-page.js';

const page = new OptionsPage('docs/reference/options.md');
const cache = 'runtime/src/cache/selection/cache-options.ts';
const writes = 'runtime/src/client/options/client-options.ts';
const watches = 'runtime/src/controller/watches/watch-declaration.ts';
const reads = 'runtime/src/client/reads/live-reader.ts';
const defaults = 'runtime/src/manager/controllers/controller-defaults.ts';

/** The options that the code declares for each section of the page, in the order of the page. */
const options: Readonly<Record<string, readonly Reported[]>> = {
  'new Manager': membersOf('runtime/src/manager/settings/manager-options.ts', 'ManagerOptions'),
  connect: membersOf('runtime/src/manager/cluster/cluster-options.ts', 'ClusterOptions'),
  connection: membersOf('runtime/src/transport/connection/connection.ts', 'Connection'),
  leaderElection: membersOf('runtime/src/election/leader-election-options.ts', 'LeaderElectionOptions'),
  coordinated: membersOf('runtime/src/election/coordinated-election.ts', 'CoordinatedElectionOptions'),
  hooks: membersOf('runtime/src/manager/hooks/manager-hooks.ts', 'ManagerHooks'),
  controllers: [
    ...pickedIn(defaults, /Pick<\s*ControllerOptions<KubeObject>,([^>]+)>/),
    ...membersOf(defaults, 'ControllerDefaults'),
  ],
  log: membersOf('runtime/src/log/log-options.ts', 'LogOptions'),
  'PinoLogger.create': membersOf('runtime/src/log/pino-logger.ts', 'PinoLoggerOptions'),
  events: membersOf('runtime/src/events/recorded-events.ts', 'RecordedEventsOptions'),
  metrics: [
    ...membersOf('runtime/src/serving/metrics-server.ts', 'MetricsServerOptions'),
    ...membersOf('runtime/src/metrics/metrics-options.ts', 'MetricsOptions'),
  ],
  health: membersOf('runtime/src/serving/health-server.ts', 'HealthServerOptions'),
  webhooks: membersOf('runtime/src/manager/webhooks/webhooks-options.ts', 'WebhooksOptions'),
  'webhooks.certificates': membersOf('runtime/src/certificates/managed-certificates-options.ts', 'CertificateOptions'),
  'new WebhookServer': membersOf('runtime/src/webhook/webhook-server.ts', 'WebhookServerOptions'),
  'Where metrics and health listen': membersOf('runtime/src/serving/served-endpoint.ts', 'ListenOptions'),
  profiling: membersOf('runtime/src/manager/endpoints/profiling-server.ts', 'ProfilingServerOptions'),
  'new RequestLimit': membersOf('runtime/src/transport/request/request-limit.ts', 'RequestLimitOptions'),
  'new RequestLog': membersOf('runtime/src/transport/observation/request-log.ts', 'RequestLogOptions'),
  cache: [...membersOf(cache, 'CacheSettings'), ...membersOf(cache, 'CacheOptions')],
  cacheOf: membersOf(cache, 'KindCacheOptions'),
  'cache.informer': membersOf('runtime/src/cache/informer/informer.ts', 'InformerOptions'),
  'informer.changes': membersOf('runtime/src/cache/informer/informer.ts', 'ChangesOptions'),
  'until, untilDeleted and seen': membersOf('runtime/src/waiting/bounded-wait.ts', 'WaitOptions'),
  owned: [
    ...membersOf(watches, 'DeclaredWatchOptions'),
    ...membersIn(watches, /export function owned<[^]*?DeclaredWatchOptions<T> & \{\n([^]*?)^ {2}\}/m),
  ],
  watch: [
    ...membersIn(watches, /export function watch<[^]*?MappedWatchOptions<T> & \{\n([^]*?)^ {2}\}/m),
    ...membersOf(watches, 'MappedWatchOptions'),
  ],
  sourceOf: membersOf('runtime/src/controller/sources/source-of.ts', 'SourceOptions'),
  kindSource: membersOf('runtime/src/controller/sources/kind-source.ts', 'KindSourceOptions'),
  'new Channel': membersOf('runtime/src/controller/sources/channel.ts', 'ChannelOptions'),
  enqueue: membersOf('runtime/src/controller/sources/source.ts', 'EnqueueOptions'),
  'Result.requeue': membersOf('runtime/src/controller/reconciler/result.ts', 'AgainOptions'),
  'Result.requeueAfter': membersOf('runtime/src/controller/reconciler/result.ts', 'DelayOptions'),
  'new WorkQueue': membersOf('runtime/src/queue/work-queue.ts', 'WorkQueueOptions'),
  'queue.add': membersOf('runtime/src/queue/work-queue.ts', 'QueueAddOptions'),
  'client.with': membersOf('runtime/src/client/options/client-settings.ts', 'ClientSettings'),
  'get and find': membersOf('runtime/src/cache/store/read-options.ts', 'ReadOptions'),
  list: membersOf('runtime/src/cache/store/list-options.ts', 'ListOptions'),
  'live.pages': membersOf(reads, 'PageOptions'),
  'live.watch': membersOf(reads, 'WatchOptions'),
  'Every write': membersOf(writes, 'WriteOptions'),
  create: membersOf(writes, 'CreateOptions'),
  patch: membersOf(writes, 'PatchOptions'),
  patchStatus: membersOf(writes, 'PatchStatusOptions'),
  createOrPatch: membersOf(writes, 'CreateOrPatchOptions'),
  apply: membersOf(writes, 'ApplyOptions'),
  applyOwned: membersOf(writes, 'ApplyOwnedOptions'),
  delete: membersOf(writes, 'DeleteOptions'),
  deleteAll: pickedIn(writes, /DeleteAllOptions<T> = [^;]+Pick<DeleteOptions, ([^>]+)>/),
  'subresource, apply': pickedIn(
    'runtime/src/client/writes/subresource.ts',
    /SubresourceApplyOptions = WriteOptions & Pick<ApplyOptions, ([^>]+)>/,
  ),
  'normal and warning': membersOf('runtime/src/events/event-recorder.ts', 'EventOptions'),
  retryOnConflict: membersOf('runtime/src/client/retry-on-conflict.ts', 'RetryOnConflictOptions'),
  'setControllerReference and setOwnerReference': membersOf(
    'api/src/objects/owner-references.ts',
    'OwnerReferenceOptions',
  ),
  forEachInParallel: membersOf('runtime/src/queue/parallel.ts', 'ParallelOptions'),
  crdFor: membersOf('api/src/crd/crd-for.ts', 'CrdOptions'),
  'TestEnvironment.start': membersOf('testing/src/test-environment-options.ts', 'TestEnvironmentOptions'),
  'new FakeClock': membersOf('testing/src/fake-clock.ts', 'FakeClockOptions'),
  'ControlPlane.start': membersOf('testing/src/control-plane/control-plane.ts', 'ControlPlaneOptions'),
  'FaultProxy.open': membersOf('testing/src/proxies/fault-proxy.ts', 'FaultProxyOptions'),
  faultSchedule: membersOf('testing/src/fault-schedule.ts', 'FaultScheduleOptions'),
  explore: [
    ...membersOf('testing/src/explore/operator-under-test.ts', 'OperatorUnderTest'),
    ...membersOf('testing/src/explore/explore-options.ts', 'ExploreOptions'),
  ],
  'testConversion and testDefaulter': membersOf('testing/src/webhooks/objects-of-schema.ts', 'GeneratedObjectsOptions'),
  differencesOf: membersOf('testing/src/differences-of.ts', 'DifferencesOptions'),
};

test('the page about options lists every option with its default, and no other option', () => {
  page.assertDescribes(options);
});

test('every call in a heading of the page about options exists', () => {
  const exported: Readonly<Record<string, unknown>> = { ...api, ...runtime, ...testing };
  const called = page.headings.flatMap((heading) => {
    const { name, method } = /^(?:new )?(?<name>[A-Z]\w+)(?:\.(?<method>\w+))?$/.exec(heading)?.groups ?? {};
    return name === undefined || /^(?:Functions|Events|Tests)$/.test(name) ? [] : [{ heading, name, method }];
  });
  assert.ok(called.length > 8);
  const missing = called.filter(({ name, method }) => {
    const value = exported[name];
    return typeof value !== 'function' || (method !== undefined && !(method in value));
  });
  assert.deepEqual(missing, []);
});
