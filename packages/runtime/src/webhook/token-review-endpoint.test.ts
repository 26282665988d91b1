import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AuthenticatedUser, AuthenticationContext, Authenticator } from '@kubewright/api';
import { currentLogger } from '../client/scope/current-logger.js';
import { Metrics } from '../metrics/metrics.js';
import { HttpEndpoint } from '../serving/http-endpoint.js';
import { Gate } from '../test-support/gate.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { metricValue } from '../test-support/metric-value.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { openRequest, postReview } from '../test-support/webhook-calls.js';
import { tokenReviewEndpoint } from './token-review-endpoint.js';

interface TokenReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly uid?: string };
  readonly status: { readonly authenticated: boolean; readonly user?: object; readonly error?: string };
}

/** Serves an authenticator over HTTP, and returns functions that send reviews to the authenticator. */
async function serve(t: TestContext, authenticate: Authenticator['authenticate'] = () => undefined) {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const metrics = new Metrics();
  const using = { clock, logger, metrics: metrics.webhook('/authenticate') };
  const handler = tokenReviewEndpoint({ authenticate }, using);
  const endpoint = new HttpEndpoint(
    { name: 'webhooks', portOption: 'webhooks.port', port: 0, host: '127.0.0.1' },
    { clock, logger, handler },
  );
  await endpoint.listen();
  t.after(async () => {
    const closed = endpoint[Symbol.asyncDispose]();
    clock.advance(1000);
    await closed;
  });
  const url = `http://127.0.0.1:${endpoint.address?.port}/authenticate`;
  const post = async (body: unknown, contentType?: string) => {
    const { status, text } = await postReview(url, body, { ...(contentType !== undefined && { contentType }) });
    return { code: status, review: JSON.parse(text) as TokenReview };
  };
  return { url, post, logger, metrics };
}
function tokenReview(spec: object, { version = 'v1', uid }: { version?: string; uid?: string } = {}) {
  const metadata = { ...(uid !== undefined && { uid }) };
  return { apiVersion: `authentication.k8s.io/${version}`, kind: 'TokenReview', metadata, spec };
}

test('[WC-11] rejects a body that is empty, too large, not JSON or not a TokenReview', async (t) => {
  const { post, logger } = await serve(t, () => assert.fail('the authenticator must not be called'));
  const bodies: readonly (readonly [body: unknown, error: RegExp, contentType?: string])[] = [
    ['', /^the request body is empty$/],
    ['a'.repeat(2 ** 20 + 1), /^the request body is larger than the limit of 1048576 bytes$/],
    [
      tokenReview({ token: 'a' }),
      /^the content type is 'application\/foo'; use 'application\/json'$/,
      'application/foo',
    ],
    ['{', /^the request body is not valid JSON: /],
    [{ apiVersion: 'v1', kind: 'Pod' }, /send a TokenReview of authentication\.k8s\.io\/v1 or/],
    [{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' }, /^the TokenReview has no spec$/],
    [tokenReview({}), /^the TokenReview has no token$/],
  ];
  for (const [body, error, contentType] of bodies) {
    const { code, review } = await post(body, contentType);
    assert.deepEqual([code, review.kind, review.status.authenticated], [200, 'TokenReview', false]);
    assert.match(review.status.error ?? '', error);
  }
  assert.equal(logger.lines.length, bodies.length);
});

test('[WC-11] returns the version and the UID of the request, and the user of the token', async (t) => {
  const user = { name: 'ann', uid: '7', groups: ['dev'], extra: { scope: ['read'] }, audiences: ['a'] };
  const { post } = await serve(t, (token, { audiences }) =>
    token === 'good' && audiences[0] === 'a' ? user : undefined,
  );
  for (const version of ['v1', 'v1beta1']) {
    const { review } = await post(tokenReview({ token: 'good', audiences: ['a', 'b'] }, { version, uid: 'u' }));
    assert.deepEqual(review, {
      kind: 'TokenReview',
      apiVersion: `authentication.k8s.io/${version}`,
      metadata: { uid: 'u' },
      spec: {},
      status: {
        authenticated: true,
        user: { username: 'ann', uid: '7', groups: ['dev'], extra: { scope: ['read'] } },
        audiences: ['a'],
      },
    });
  }
  const { review } = await post({ spec: { token: 'good', audiences: ['a'] } });
  assert.deepEqual([review.apiVersion, review.metadata], ['authentication.k8s.io/v1', {}]);
});

test('[WC-11] responds with authenticated: false for a token that is not valid', async (t) => {
  const { post } = await serve(t, (_token, { audiences }) => (audiences.length > 0 ? assert.fail() : undefined));
  assert.deepEqual((await post(tokenReview({ token: 'bad' }))).review.status, { authenticated: false });
});

test('[WC-11] reports and counts an error of the authenticator without the token', async (t) => {
  const { post, logger, metrics } = await serve(t, (token) => {
    throw new Error(`the directory does not accept ${token}`);
  });
  const { review } = await post(tokenReview({ token: 'abc-123' }, { uid: 'u' }));
  assert.deepEqual(review.status, { authenticated: false, error: 'the directory does not accept ***' });
  assert.deepEqual(review.metadata, { uid: 'u' });
  assert.equal(await metricValue(metrics, 'controller_runtime_webhook_panics_total'), 1);
  const [line] = logger.lines;
  assert.equal(line?.message, 'the authenticator failed');
  const logged = String(line.fields['error']);
  assert.equal(logged.includes('abc-123'), false);
  assert.match(logged, /does not accept \*\*\*.*token-review-endpoint\.test/s);
});

test('aborts the signal when the client closes the connection, and provides the logger', async (t) => {
  const called = new Gate<AuthenticationContext>();
  const fallback = new RecordingLogger();
  const { url } = await serve(t, async (_token, context): Promise<AuthenticatedUser | undefined> => {
    assert.notEqual(currentLogger(fallback), fallback);
    called.open(context);
    return new Promise(() => undefined);
  });
  const request = openRequest(url, { headers: { 'content-type': 'application/json' } });
  request.on('error', () => undefined);
  request.end(JSON.stringify(tokenReview({ token: 'a' })));
  const { signal } = await called.promise;
  request.destroy();
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
});
