import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '../metrics/metrics.js';
import { fetchText } from '../test-support/fetch-text.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { parseMetrics } from '../metrics/parse-metrics.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { type Exchange, ScriptedServer } from '../test-support/scripted-server.js';
import { Transport } from '../transport/sending/transport.js';
import { MetricsServer } from './metrics-server.js';

/** A protected metrics server, and the API server that authorizes its requests. */
class Protected implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly server: MetricsServer;
  readonly #apiServer: ScriptedServer;
  readonly #transport: Transport;

  private constructor(apiServer: ScriptedServer) {
    this.#apiServer = apiServer;
    this.#transport = new Transport({ server: apiServer.url }, { clock: this.clock });
    this.server = new MetricsServer(
      {
        host: '127.0.0.1',
        port: 0,
        protect: true,
        handlers: { '/version': (_, response) => void response.end('1.2.3') },
      },
      {
        metrics: new Metrics({ process: false }),
        clock: this.clock,
        logger: this.logger,
        transport: async () => this.#transport,
      },
    );
  }
  static async start(): Promise<Protected> {
    const guarded = new Protected(await ScriptedServer.start());
    await guarded.server.listen();
    return guarded;
  }

  get reviews(): number {
    return this.#apiServer.requests;
  }
  send(token: string | undefined, { path = '/metrics', method = 'GET' } = {}) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return fetchText(`https://127.0.0.1:${this.server.address?.port}${path}`, { method, headers });
  }
  next(): Promise<Exchange> {
    return this.#apiServer.next();
  }
  async authenticate(user: object | undefined): Promise<Exchange> {
    const review = await this.next();
    review.json(201, {
      status: user === undefined ? { error: 'invalid bearer token' } : { authenticated: true, user },
    });
    return review;
  }
  async authorize(allowed: boolean): Promise<Exchange> {
    const review = await this.next();
    review.json(201, { status: { allowed } });
    return review;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.#transport.close();
    await this.#apiServer.close();
  }
}
const ann = { username: 'ann', uid: '7', groups: ['scrapers'], extra: { pod: ['p'] } };

test('protected metrics are served over HTTPS, and a request without a token returns 401 without a TokenReview', async () => {
  await using guarded = await Protected.start();
  const answer = await guarded.send(undefined);
  assert.deepEqual([answer.status, answer.text], [401, 'Unauthorized\n']);
  assert.equal(guarded.reviews, 0);
});

test('[OT-07] reviews the token and whether its user may access the path, for metrics and for other handlers', async () => {
  await using guarded = await Protected.start();
  const requested = guarded.send('t-1');
  const tokenReview = await guarded.authenticate(ann);
  const accessReview = await guarded.authorize(true);
  const answer = await requested;
  assert.equal(answer.status, 200);
  parseMetrics(answer.text);
  assert.equal(tokenReview.path, '/apis/authentication.k8s.io/v1/tokenreviews');
  assert.equal(JSON.parse(tokenReview.body).spec.token, 't-1');
  assert.equal(accessReview.path, '/apis/authorization.k8s.io/v1/subjectaccessreviews');
  const { username, ...rest } = ann;
  assert.deepEqual(JSON.parse(accessReview.body).spec, {
    user: username,
    ...rest,
    nonResourceAttributes: { path: '/metrics', verb: 'get' },
  });
  const version = guarded.send('t-1', { path: '/version' });
  await guarded.authorize(true);
  assert.equal((await version).text, '1.2.3');
});

test('an unknown token returns 401, and a user without access returns 403', async () => {
  await using guarded = await Protected.start();
  const unknown = guarded.send('t-1');
  await guarded.authenticate(undefined);
  assert.equal((await unknown).status, 401);
  const forbidden = guarded.send('t-2', { method: 'POST' });
  await guarded.authenticate(ann);
  await guarded.authorize(false);
  const answer = await forbidden;
  assert.deepEqual([answer.status, answer.text], [403, 'ann is not allowed to post /metrics\n']);
});

test('caches users for 1 min, allowed requests for 5 min and denied requests for 30 s', async () => {
  await using guarded = await Protected.start();
  const first = guarded.send('t-1');
  await guarded.authenticate(ann);
  await guarded.authorize(true);
  await first;
  assert.equal((await guarded.send('t-1')).status, 200);
  assert.equal(guarded.reviews, 2, 'both responses are cached');

  guarded.clock.advance(60_000);
  const second = guarded.send('t-1');
  await guarded.authenticate(ann);
  assert.equal((await second).status, 200);
  assert.equal(guarded.reviews, 3, 'the allowed response is still cached');

  guarded.clock.advance(240_000);
  const third = guarded.send('t-1');
  await guarded.authenticate(ann);
  await guarded.authorize(false);
  assert.equal((await third).status, 403);
  guarded.clock.advance(29_999);
  assert.equal((await guarded.send('t-1')).status, 403);
  assert.equal(guarded.reviews, 5);
  guarded.clock.advance(1);
  const fourth = guarded.send('t-1');
  await guarded.authorize(true);
  assert.equal((await fourth).status, 200);
});

test('concurrent requests share one review', async () => {
  await using guarded = await Protected.start();
  const requested = Promise.all([guarded.send('t-1'), guarded.send('t-1'), guarded.send('t-1')]);
  await guarded.authenticate(ann);
  await guarded.authorize(true);
  assert.deepEqual(
    (await requested).map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(guarded.reviews, 2);
});

test('retries a failed review, then responds with 500 without the reason, and does not cache the failure', async () => {
  await using guarded = await Protected.start();
  const requested = guarded.send('t-1');
  for (const pauseMs of [500, 750, 1125, 1687.5]) {
    (await guarded.next()).status(500, 'InternalError');
    await guarded.clock.scheduled(pauseMs);
    guarded.clock.advance(pauseMs);
  }
  (await guarded.next()).status(500, 'InternalError');
  const answer = await requested;
  assert.equal(answer.status, 500);
  assert.doesNotMatch(answer.text, /InternalError/);
  assert.equal(guarded.logger.lines[0]?.level, 'error');
  const again = guarded.send('t-1');
  (await guarded.next()).status(403, 'Forbidden');
  assert.equal((await again).status, 500, 'a denied review is not retried');
  assert.equal(guarded.reviews, 6);
});

test('returns 500 if a review has no response within 10 s', async () => {
  await using guarded = await Protected.start();
  const requested = guarded.send('t-1');
  await guarded.next();
  guarded.clock.advance(10_000);
  assert.equal((await requested).status, 500);
});

test('log lines do not contain a token', async () => {
  await using guarded = await Protected.start();
  const requested = guarded.send('very-secret-token');
  (await guarded.next()).status(403, 'Forbidden', { message: 'not allowed' });
  await requested;
  assert.ok(guarded.logger.lines.length > 0);
  assert.doesNotMatch(JSON.stringify(guarded.logger.lines), /very-secret-token/);
});
