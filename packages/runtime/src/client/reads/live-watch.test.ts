import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { ApiError, isExpired, KubewrightError } from '@kubewright/api/errors';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { configMap } from '../../test-support/reflector-bench.js';
import { type Exchange, ScriptedServer } from '../../test-support/scripted-server.js';
import { Discovery } from '../../transport/discovery/discovery.js';
import { PARTIAL_LIST, PARTIAL_OBJECT } from '../../transport/answer/partial-metadata.js';
import { protobufOr } from '../../transport/answer/protobuf-kind.js';
import { Transport } from '../../transport/sending/transport.js';
import { CachedClient } from '../cached-client.js';
import type { LiveReader, PageOptions, WatchEvent, WatchOptions } from './live-reader.js';

/** Live reads from a scripted server, with a manual clock. */
class Bench implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly server: ScriptedServer;
  readonly live: LiveReader;
  readonly #transport: Transport;

  private constructor(server: ScriptedServer) {
    this.server = server;
    this.#transport = new Transport({ server: server.url }, { clock: this.clock });
    const backend = { transport: this.#transport, discovery: new Discovery(this.#transport) };
    this.live = new CachedClient({
      backend,
      clock: this.clock,
      logger: new RecordingLogger(),
      fieldManager: 'tester',
    }).live;
  }
  static async start(): Promise<Bench> {
    return new Bench(await ScriptedServer.start());
  }
  /** Opens a watch with `resume`. Returns the events and the first request of the watch. */
  async resumed(options: WatchOptions<ConfigMap> = {}): Promise<{ readonly events: Events; readonly first: Exchange }> {
    const events = new Events((signal) =>
      this.live.watch(ConfigMap, { resume: true, resourceVersion: '10', signal, ...options }),
    );
    return { events, first: await this.server.next() };
  }
  /** Advances the clock by the pending delay, which must be at least `atLeastMs` and less than twice as long. */
  async passDelay(atLeastMs: number): Promise<void> {
    const isDelay = (ms: number): boolean => ms >= atLeastMs && ms < 2 * atLeastMs;
    while (!this.clock.pendingMs.some(isDelay)) await new Promise((resolve) => setImmediate(resolve));
    this.clock.advance(this.clock.pendingMs.find(isDelay) ?? 0);
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
    await this.server.close();
  }
}

/** The events of a watch as short texts. Requests each event before the test reads it, like a `for await` loop that waits. */
class Events {
  readonly #stop = new AbortController();
  readonly #events: AsyncIterator<WatchEvent<KubeObject>>;
  #next: Promise<IteratorResult<WatchEvent<KubeObject>>>;

  constructor(watch: (signal: AbortSignal) => AsyncIterable<WatchEvent<KubeObject>>) {
    this.#events = watch(this.#stop.signal)[Symbol.asyncIterator]();
    this.#next = this.#advance();
  }
  async next(): Promise<string> {
    const { value, done } = await this.#next;
    if (done) return 'end';
    this.#next = this.#advance();
    const { type, object } = value;
    return `${type} ${object.metadata.name}:${object.metadata.resourceVersion}`;
  }
  async stop(): Promise<void> {
    this.#stop.abort();
    // The watch delivers at most the event that was requested before the abort.
    if (!(await this.#next).done) assert.equal((await this.#advance()).done, true);
  }
  #advance(): Promise<IteratorResult<WatchEvent<KubeObject>>> {
    const next = this.#events.next();
    // Avoids an unhandled rejection if a test ends without reading this result.
    next.catch(() => undefined);
    return next;
  }
}

const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof KubewrightError && error.code === expected && message.test(error.message);

test('[CG-117] a resumed watch continues from the last event or bookmark after the stream ends or breaks, and never yields a bookmark', async () => {
  await using bench = await Bench.start();
  const { events, first } = await bench.resumed();
  assert.equal(first.query.resourceVersion, '10');
  assert.equal(first.query.allowWatchBookmarks, 'true');
  first.event('ADDED', configMap('a', '11')).bookmark('15').end();
  assert.equal(await events.next(), 'added a:11');
  const second = await bench.server.next();
  assert.equal(second.query.resourceVersion, '15');
  second.event('MODIFIED', configMap('a', '16'));
  assert.equal(await events.next(), 'modified a:16');
  second.send('{"type":"MODI').cut();
  const third = await bench.server.next();
  assert.equal(third.query.resourceVersion, '16');
  third.event('DELETED', configMap('a', '17'));
  assert.equal(await events.next(), 'deleted a:17');
  assert.equal(bench.server.requests, 3);
  await events.stop();
  await third.closed;
});

const ENDS: readonly (readonly [what: string, answer: (exchange: Exchange) => void, continues: boolean])[] = [
  ['ends immediately', (exchange) => exchange.end(), true],
  ['loses its connection immediately', (exchange) => exchange.open().cut(), true],
  ...([401, 403, 404, 405, 410, 422] as const).map(
    (status) =>
      [`receives status ${status}`, (exchange: Exchange) => exchange.status(status, 'Refused'), false] as const,
  ),
  ...([429, 500, 502, 503, 504] as const).map(
    (status) => [`receives status ${status}`, (exchange: Exchange) => exchange.status(status, 'Later'), true] as const,
  ),
  ...([403, 410] as const).map(
    (status) =>
      [`ends with error ${status}`, (exchange: Exchange) => exchange.errorEvent(status, 'Over'), false] as const,
  ),
  ...([429, 500, 503, 504] as const).map(
    (status) =>
      [`ends with error ${status}`, (exchange: Exchange) => exchange.errorEvent(status, 'Later'), true] as const,
  ),
];
for (const [what, answer, continues] of ENDS) {
  test(`[CG-117] a resumed watch that ${what} ${continues ? 'continues after a delay' : 'throws the error'}`, async () => {
    await using bench = await Bench.start();
    const { events, first } = await bench.resumed();
    if (!continues) {
      const rejected = assert.rejects(
        events.next(),
        (error) => error instanceof ApiError && what.includes(`${error.status}`),
      );
      answer(first);
      await rejected;
      assert.equal(bench.server.requests, 1);
      return;
    }
    answer(first);
    await bench.passDelay(800);
    const second = await bench.server.next();
    assert.equal(second.query.resourceVersion, '10');
    second.event('ADDED', configMap('a', '11'));
    assert.equal(await events.next(), 'added a:11');
    await events.stop();
  });
}

test('[CG-117] a resumed watch waits up to a minute for retryAfterSeconds, and throws if its version has expired', async () => {
  await using bench = await Bench.start();
  const { events, first } = await bench.resumed();
  first.errorEvent(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } });
  await bench.clock.scheduled(7000);
  bench.clock.advance(7000);
  (await bench.server.next()).errorEvent(429, 'TooManyRequests', { details: { retryAfterSeconds: 86_400 } });
  await bench.clock.scheduled(60_000);
  bench.clock.advance(60_000);
  const rejected = assert.rejects(events.next(), isExpired);
  (await bench.server.next()).errorEvent(410, 'Expired');
  await rejected;
});

test('[CG-117] a resumed watch requires a resourceVersion at the start and in every event', async () => {
  await using bench = await Bench.start();
  for (const resourceVersion of [undefined, '', '0']) {
    const options = { resume: true, ...(resourceVersion !== undefined && { resourceVersion }) };
    await assert.rejects(
      new Events(() => bench.live.watch(ConfigMap, options)).next(),
      code('INVALID_OPTION', /'resourceVersion'/),
    );
  }
  assert.equal(bench.server.requests, 0);
  const { events, first } = await bench.resumed();
  const rejected = assert.rejects(events.next(), code('INVALID_RESPONSE', /without a resourceVersion/));
  first.event('ADDED', configMap('a', ''));
  await rejected;
});

test('[CG-118] a watch ends immediately if its signal is aborted or its loop ends, even with unread events or during a delay', async () => {
  await using bench = await Bench.start();
  const burst = (exchange: Exchange): void => {
    for (let version = 11; version < 40; version++) exchange.event('MODIFIED', configMap('a', String(version)));
  };
  const stopped = await bench.resumed();
  burst(stopped.first);
  assert.equal(await stopped.events.next(), 'modified a:11');
  await stopped.events.stop();
  await stopped.first.closed;
  const left = (async () => {
    for await (const { object } of bench.live.watch(ConfigMap, { resume: true, resourceVersion: '10' }))
      if (object.metadata.resourceVersion === '12') break;
  })();
  const exchange = await bench.server.next();
  burst(exchange);
  await Promise.all([left, exchange.closed]);
  const stop = new AbortController();
  const { events, first } = await bench.resumed({ signal: stop.signal });
  first.status(500, 'InternalError');
  while (!bench.clock.pendingMs.some((ms) => ms >= 800 && ms < 1600))
    await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  assert.equal(await events.next(), 'end');
  assert.deepEqual(bench.clock.pendingMs, []);
});

test('[CG-233] a slow loop applies back-pressure to the server and loses no event', async () => {
  await using bench = await Bench.start();
  const { events, first } = await bench.resumed();
  const data = { large: 'x'.repeat(100_000) };
  const sent = 300;
  let taken = 0;
  for (let version = 11; version < 11 + sent; version++) {
    first.event('MODIFIED', configMap('a', String(version), { data }));
    if (first.isHeldBack) taken++;
  }
  assert.ok(taken > 0, 'the server cannot send more events');
  assert.equal(await events.next(), 'modified a:11');
  assert.ok(first.isHeldBack, 'one event was consumed, the others wait on the server');
  for (let version = 12; version < 11 + sent; version++) assert.equal(await events.next(), `modified a:${version}`);
  await events.stop();
});

test('[CG-245] validates the timeout of a watch before sending a request, and sends the timeout in whole seconds', async () => {
  await using bench = await Bench.start();
  for (const timeout of ['0s', '500ms', '3601s', '2h'] as const) {
    await assert.rejects(
      new Events(() => bench.live.watch(ConfigMap, { timeout })).next(),
      code('INVALID_OPTION', /'timeout' is .* between 1s and 1h/),
    );
  }
  assert.equal(bench.server.requests, 0);
  for (const [timeout, seconds] of [
    [undefined, '300'],
    ['1s', '1'],
    ['1500ms', '2'],
    ['1h', '3600'],
  ] as const) {
    const events = new Events(() => bench.live.watch(ConfigMap, timeout === undefined ? {} : { timeout }));
    const exchange = await bench.server.next();
    assert.equal(exchange.query.timeoutSeconds, seconds);
    exchange.end();
    assert.equal(await events.next(), 'end');
  }
});

test('[CG-246] rejects contradictory versions and version matches before sending a request, and sends valid values as query parameters', async () => {
  await using bench = await Bench.start();
  const refused: readonly (readonly [options: PageOptions<ConfigMap>, why: RegExp])[] = [
    [{ versionMatch: 'exact' }, /requires 'resourceVersion'/],
    [{ versionMatch: 'notOlder' }, /requires 'resourceVersion'/],
    [{ versionMatch: 'exact', resourceVersion: '' }, /requires 'resourceVersion'/],
    [{ versionMatch: 'exact', resourceVersion: '0' }, /cannot be 'exact' for resourceVersion '0'/],
    [{ continue: 'token', resourceVersion: '5' }, /'continue' already determines the version/],
    [{ continue: 'token', versionMatch: 'exact' }, /'continue' already determines the version/],
  ];
  const first = (options: PageOptions<ConfigMap>) =>
    bench.live.pages(ConfigMap, options)[Symbol.asyncIterator]().next();
  for (const [options, why] of refused) await assert.rejects(first(options), code('INVALID_OPTION', why));
  assert.equal(bench.server.requests, 0);
  for (const [options, query] of [
    [{}, {}],
    [{ resourceVersion: '0' }, { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }],
    [{ resourceVersion: '5' }, { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' }],
    [
      { resourceVersion: '5', versionMatch: 'exact' },
      { resourceVersion: '5', resourceVersionMatch: 'Exact' },
    ],
    [{ continue: 'token' }, { continue: 'token' }],
  ] as const) {
    const page = first(options);
    const exchange = await bench.server.next();
    assert.deepEqual(exchange.query, { limit: '500', ...query });
    exchange.list('9', []);
    await page;
  }
});

test('[CG-243] no page exceeds the limit, and later pages send the continue token instead of the version', async () => {
  await using bench = await Bench.start();
  const pages = bench.live.pages(ConfigMap, { limit: 2, resourceVersion: '5' })[Symbol.asyncIterator]();
  for (const [token, query] of [
    ['more', { limit: '2', resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' }],
    [undefined, { limit: '2', continue: 'more' }],
  ] as const) {
    const page = pages.next();
    const exchange = await bench.server.next();
    assert.deepEqual(exchange.query, query);
    exchange.list('9', [configMap('a', '1'), configMap('b', '2')], token);
    assert.equal((await page).value?.items.length, 2);
  }
  assert.equal((await pages.next()).done, true);
});

test('a live list returns every object of a page with 200,000 objects', async () => {
  await using bench = await Bench.start();
  const listed = bench.live.list(ConfigMap);
  const exchange = await bench.server.next();
  const object = configMap('a', '1');
  exchange.list(
    '9',
    Array.from({ length: 200_000 }, () => object),
  );
  assert.equal((await listed).length, 200_000);
});

test('[CG-248] reads and watches of a metadata-only kind request metadata without an option', async () => {
  await using bench = await Bench.start();
  const kind = metadataOnly(ConfigMap);
  const pages = bench.live.pages(kind)[Symbol.asyncIterator]().next();
  const list = await bench.server.next();
  assert.equal(list.headers.accept, protobufOr(PARTIAL_LIST));
  list.list('9', []);
  await pages;
  const events = new Events((signal) => bench.live.watch(kind, { resume: true, resourceVersion: '9', signal }));
  const watch = await bench.server.next();
  assert.equal(watch.headers.accept, PARTIAL_OBJECT);
  const { metadata } = configMap('a', '10');
  watch.event('ADDED', { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata }).end();
  assert.equal(await events.next(), 'added a:10');
  assert.equal(
    (await bench.server.next()).headers.accept,
    PARTIAL_OBJECT,
    'the resumed watch also requests metadata only',
  );
  await events.stop();
});
