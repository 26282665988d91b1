import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test, type TestContext } from 'node:test';
import { type AdmissionRequest, dynamicKind, type KubeObject } from '@kubewright/api';
import { ApiError, DeniedError } from '@kubewright/api/errors';
import type { AdmissionType } from '@kubewright/api/metadata';
import { currentLogger } from '../client/scope/current-logger.js';
import { Metrics } from '../metrics/metrics.js';
import { HttpEndpoint } from '../serving/http-endpoint.js';
import { Gate } from '../test-support/gate.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { metricValue } from '../test-support/metric-value.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import {
  admissionReview,
  openRequest,
  patchIn,
  type PostedReview,
  postReview,
  responseOf,
} from '../test-support/webhook-calls.js';
import type { AdmissionHandler } from './admission-call.js';
import { type AdmissionEndpointUsing, admissionEndpoint } from './admission-endpoint.js';
import { describedAdmission } from './described-admission.js';

const Disk = dynamicKind<KubeObject & { readonly spec: Readonly<Record<string, unknown>> }>('example.com/v1', 'Disk');
const KIND = { group: 'example.com', version: 'v1', kind: 'Disk' };

function disk(spec: object = { sizeGi: 1 }, metadata: object = {}) {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Disk',
    metadata: { name: 'a', namespace: 'default', ...metadata },
    spec,
  };
}

interface SetUp {
  readonly type?: AdmissionType;
  readonly handlers: readonly unknown[];
  readonly as?: 'mutating' | 'validating';
  readonly around?: AdmissionEndpointUsing['around'];
}
/** Serves one webhook over HTTP, and returns functions that send requests to the webhook. */
async function serve(t: TestContext, { type = 'validator', handlers, as, around }: SetUp) {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const metrics = new Metrics();
  const webhooks = describedAdmission({ type, options: { for: Disk } }, { mutate: true, validate: true }, 'Test');
  const webhook = webhooks.find((each) => as === undefined || each.type === as);
  assert.ok(webhook);
  const handler = admissionEndpoint(
    { type, webhook, handlers: handlers as readonly AdmissionHandler[] },
    { clock, logger, metrics: metrics.webhook(webhook.path), around },
  );
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
  const url = `http://127.0.0.1:${endpoint.address?.port}${webhook.path}`;
  const review = (request: object, apiVersion?: string): Promise<PostedReview> =>
    postReview(url, admissionReview({ kind: KIND, name: 'a', namespace: 'default', ...request }, apiVersion));
  return { url, review, clock, logger, metrics };
}
const admits = { validate: () => [] };
function statusOf({ review }: PostedReview) {
  return review?.response.status;
}

test('[WA-01] responds to an empty body with an AdmissionReview that rejects the request', async (t) => {
  const { url } = await serve(t, { handlers: [admits] });
  const answer = await postReview(url, '');
  assert.equal(answer.status, 200);
  assert.equal(answer.review?.response.allowed, false);
  assert.deepEqual([statusOf(answer)?.code, statusOf(answer)?.message], [400, 'the request body is empty']);
});

test('[WA-02] rejects a request whose content type is not application/json', async (t) => {
  const { url, review } = await serve(t, { handlers: [admits] });
  const answer = await postReview(url, admissionReview({ object: disk() }), { contentType: 'application/foo' });
  assert.deepEqual(
    [statusOf(answer)?.code, statusOf(answer)?.message],
    [400, "the content type is 'application/foo'; use 'application/json'"],
  );
  assert.equal((await review({ object: disk() })).review?.response.allowed, true);
  const withCharset = await postReview(url, admissionReview({ object: disk() }), {
    contentType: 'application/json; charset=utf-8',
  });
  assert.equal(withCharset.review?.response.allowed, true);
});

test('[WA-03] rejects a body that is not an AdmissionReview', async (t) => {
  const { url } = await serve(t, { handlers: [admits] });
  const bodies: readonly (readonly [body: unknown, message: RegExp])[] = [
    ['{', /^the request body is not valid JSON: /],
    ['[]', /the request body is not a JSON object; send an AdmissionReview/],
    [
      { apiVersion: 'v1', kind: 'Pod' },
      /the request body is v1 Pod; send an AdmissionReview of admission\.k8s\.io\/v1 or/,
    ],
    [{ apiVersion: 'admission.k8s.io/v2', kind: 'AdmissionReview' }, /the request body is admission\.k8s\.io\/v2/],
    [{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }, /the AdmissionReview has no request/],
    [admissionReview({ operation: 'PATCH' }), /the request has the operation 'PATCH'; use one of CREATE, UPDATE/],
  ];
  for (const [body, message] of bodies) {
    const answer = await postReview(url, body);
    assert.deepEqual([answer.status, statusOf(answer)?.code], [200, 400]);
    assert.match(statusOf(answer)?.message ?? '', message);
  }
});

test('[WA-04] rejects a request without the object of its operation', async (t) => {
  const { review } = await serve(t, { handlers: [admits] });
  assert.equal(statusOf(await review({ object: null }))?.message, 'the request to create has no object');
  assert.equal(
    statusOf(await review({ operation: 'UPDATE', object: disk() }))?.message,
    'the request to update has no oldObject',
  );
  assert.equal(statusOf(await review({ operation: 'DELETE' }))?.code, 400);
});

test('[WA-05] rejects an endless body without reading more than 7 MiB', async (t) => {
  const { url } = await serve(t, { handlers: [admits] });
  const request = openRequest(url, { headers: { 'content-type': 'application/json' } });
  request.on('error', () => undefined);
  const response = responseOf(request);
  const chunk = Buffer.alloc(2 ** 16, 'a');
  // The request does not end. The response is sent when the server has read one chunk more than the limit.
  for (let at = 0; at < 7 * 16 + 1; at++) request.write(chunk);
  const answer = await response;
  request.destroy();
  assert.equal(statusOf(answer)?.code, 413);
  assert.equal(statusOf(answer)?.message, 'the request body is larger than the limit of 7340032 bytes');
  assert.equal(answer.headers.connection, 'close');
});

test('ends a request whose body is incomplete after 30 s', async (t) => {
  const { url, clock } = await serve(t, { handlers: [admits] });
  const request = openRequest(url, { headers: { 'content-type': 'application/json', 'content-length': 100 } });
  request.on('error', () => undefined);
  request.write('{');
  await clock.scheduled(30_000);
  clock.advance(30_000);
  const answer = await responseOf(request);
  assert.deepEqual(
    [statusOf(answer)?.code, statusOf(answer)?.message, answer.headers.connection],
    [408, 'the request body is incomplete after 30 s', 'close'],
  );
  request.destroy();
});

test('[WA-06] responds in version v1 by default, and in the version of the review otherwise', async (t) => {
  const { url, review } = await serve(t, { handlers: [admits] });
  for (const version of ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']) {
    const answer = await review({ object: disk() }, version);
    assert.deepEqual([answer.review?.apiVersion, answer.review?.kind], [version, 'AdmissionReview']);
  }
  const unversioned = await postReview(url, { request: { uid: 'u', operation: 'CREATE', object: disk() } });
  assert.equal(unversioned.review?.apiVersion, 'admission.k8s.io/v1');
  assert.equal((await postReview(url, 'x')).review?.apiVersion, 'admission.k8s.io/v1');
});

test('[WA-07] passes the request to the handler, and calls the handler in the context of `around`', async (t) => {
  const trace = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const { url } = await serve(t, {
    handlers: [
      {
        validate: (_object: unknown, _old: unknown, context: AdmissionRequest<KubeObject>) => {
          seen.push(trace.getStore(), context);
          return [];
        },
      },
    ],
    around: (request, handle) => trace.run(String(request.headers['traceparent']), handle),
  });
  const request = {
    kind: KIND,
    operation: 'UPDATE',
    name: 'a',
    namespace: 'default',
    subResource: 'status',
    dryRun: true,
    options: { kind: 'UpdateOptions', fieldManager: 'kubectl' },
    userInfo: { username: 'eve', uid: '7', groups: ['devs'], extra: { scopes: ['all'] } },
    object: disk(),
    oldObject: disk({ sizeGi: 0 }),
  };
  await postReview(url, admissionReview(request), { headers: { traceparent: 'trace-1' } });
  const [traced, context] = seen as [string, AdmissionRequest<KubeObject>];
  assert.equal(traced, 'trace-1');
  const { signal, warn, object, old, ...rest } = context;
  assert.deepEqual(rest, {
    uid: 'review-1',
    user: { name: 'eve', uid: '7', groups: ['devs'], extra: { scopes: ['all'] } },
    operation: 'update',
    dryRun: true,
    name: 'a',
    namespace: 'default',
    subresource: 'status',
    options: { kind: 'UpdateOptions', fieldManager: 'kubectl' },
  });
  assert.deepEqual([object, old], [disk(), disk({ sizeGi: 0 })]);
  assert.ok(Object.isFrozen(object?.metadata) && Object.isFrozen(old));
  assert.equal(typeof warn, 'function');
  assert.ok(signal instanceof AbortSignal);
});

test('[WA-07, WA-08] aborts the signal of the request when the client closes the connection, and continues to serve', async (t) => {
  const begun = new Gate();
  const aborted = new Gate();
  const { url, logger } = await serve(t, {
    handlers: [
      {
        validate: async (_object: unknown, _old: unknown, { signal }: AdmissionRequest<KubeObject>) => {
          signal.addEventListener('abort', () => aborted.open());
          begun.open();
          await aborted.promise;
          return [];
        },
      },
    ],
  });
  const request = openRequest(url, { headers: { 'content-type': 'application/json' } });
  request.on('error', () => undefined);
  request.end(JSON.stringify(admissionReview({ kind: KIND, object: disk() })));
  await begun.promise;
  request.destroy();
  await aborted.promise;
  const next = await postReview(url, admissionReview({ kind: KIND, object: disk() }));
  assert.equal(next.review?.response.allowed, true);
  assert.deepEqual(logger.lines, []);
});

test('[WA-07] returns an aborted signal to a handler that requests the signal after the client has closed the connection', async (t) => {
  const begun = new Gate();
  const closed = new Gate();
  const seen = new Gate();
  let isAborted = false;
  const { url } = await serve(t, {
    around: async (request, handle) => {
      request.socket.once('close', () => closed.open());
      await handle();
      seen.open();
    },
    handlers: [
      {
        validate: async (_object: unknown, _old: unknown, context: AdmissionRequest<KubeObject>) => {
          begun.open();
          await closed.promise;
          isAborted = context.signal.aborted;
          return [];
        },
      },
    ],
  });
  const request = openRequest(url, { headers: { 'content-type': 'application/json' } });
  request.on('error', () => undefined);
  request.end(JSON.stringify(admissionReview({ kind: KIND, object: disk() })));
  await begun.promise;
  request.destroy();
  await seen.promise;
  assert.equal(isAborted, true);
});

test('[WA-09, WA-10] responds with the UID of the request and a complete status', async (t) => {
  const { review } = await serve(t, { handlers: [admits] });
  const answer = await review({ uid: 'another-uid', object: disk() });
  assert.deepEqual(answer.review?.response, { uid: 'another-uid', allowed: true, status: { metadata: {}, code: 200 } });
});

test('[WA-11, WA-15] sends all edits of a draft as one JSON patch, and keeps unknown fields', async (t) => {
  const handler = {
    default: (draft: { spec: Record<string, unknown>; metadata: { labels: Record<string, string> } }) => {
      draft.spec['class'] ??= 'ssd';
      delete draft.spec['old'];
      draft.metadata.labels['tier'] = 'web';
    },
  };
  const { review } = await serve(t, { type: 'defaulter', handlers: [handler] });
  const answer = await review({ object: disk({ unknown: { deep: [1] }, old: true, big: 1 }) });
  assert.equal(answer.review?.response.patchType, 'JSONPatch');
  assert.deepEqual(patchIn(answer), [
    { op: 'add', path: '/metadata/labels', value: { tier: 'web' } },
    { op: 'remove', path: '/spec/old' },
    { op: 'add', path: '/spec/class', value: 'ssd' },
  ]);
});

test('keeps integers that a JavaScript number cannot represent', async (t) => {
  const handler = { default: (draft: { spec: Record<string, unknown> }) => void (draft.spec['b'] = draft.spec['a']) };
  const { url } = await serve(t, { type: 'defaulter', handlers: [handler] });
  const text = JSON.stringify(admissionReview({ kind: KIND, object: disk({ a: 0 }) })).replace(
    '"a":0',
    '"a":9007199254740993',
  );
  const answer = await postReview(url, text);
  const patch = Buffer.from(answer.review?.response.patch ?? '', 'base64').toString('utf8');
  assert.match(patch, /"value":9007199254740993/);
});

test('sends no patch if a draft is unchanged', async (t) => {
  const { review } = await serve(t, { type: 'defaulter', handlers: [{ default: () => undefined }] });
  assert.deepEqual((await review({ object: disk() })).review?.response, {
    uid: 'review-1',
    allowed: true,
    status: { metadata: {}, code: 200 },
  });
});

test('[WA-12] provides a logger that identifies the webhook, the object and the request', async (t) => {
  const { review, logger } = await serve(t, {
    handlers: [
      {
        validate: () => {
          currentLogger(new RecordingLogger()).info('validating');
          return [];
        },
      },
    ],
  });
  await review({ object: disk(), userInfo: { username: 'eve' } });
  assert.deepEqual(logger.lines.find(({ message }) => message === 'validating')?.fields, {
    webhook: 'validate.disk.v1.example.com',
    object: { namespace: 'default', name: 'a' },
    operation: 'CREATE',
    user: 'eve',
    requestId: 'review-1',
  });
});

test('[WA-13, WA-30] responds with status 500 and the reason if a handler throws, logs the error and continues', async (t) => {
  let fails = true;
  const handler = (): void => {
    if (fails) throw new TypeError("cannot read 'x' of undefined, password=hunter2");
  };
  for (const [type, handlers] of [
    ['defaulter', [{ default: handler }]],
    ['validator', [{ validate: () => (handler(), []) }]],
  ] as const) {
    fails = true;
    const { review, logger, metrics } = await serve(t, { type, handlers });
    const answer = await review({ object: disk() });
    assert.equal(answer.review?.response.allowed, false);
    const status = statusOf(answer);
    assert.deepEqual([status?.code, status?.reason], [500, 'InternalError']);
    assert.match(
      status?.message ?? '',
      /^the webhook '\w+\.disk\.v1\.example\.com' failed: cannot read 'x' of undefined/,
    );
    assert.doesNotMatch(answer.text, /hunter2/);
    assert.equal(logger.lines.filter(({ level }) => level === 'error').length, 1);
    assert.equal(await metricValue(metrics, 'controller_runtime_webhook_panics_total'), 1);
    fails = false;
    assert.equal((await review({ object: disk() })).review?.response.allowed, true);
  }
});

test('rejects the request if a validator returns no list of violations', async (t) => {
  for (const result of [undefined, true, [{ field: 'spec' }]]) {
    const { review } = await serve(t, { handlers: [{ validate: () => result }] });
    const answer = await review({ object: disk() });
    assert.equal(statusOf(answer)?.code, 500);
    assert.match(statusOf(answer)?.message ?? '', /validate returned .*; return a list of \{ field, message \}/);
  }
});

test('[WA-17] a defaulter admits a delete without being called', async (t) => {
  const handler = {
    default: () => {
      throw new Error('called');
    },
  };
  const { review } = await serve(t, { type: 'defaulter', handlers: [handler] });
  const answer = await review({ operation: 'DELETE', oldObject: disk() });
  assert.deepEqual([answer.review?.response.allowed, answer.review?.response.patch], [true, undefined]);
});

const operations = [
  { operation: 'CREATE', object: disk() },
  { operation: 'UPDATE', object: disk(), oldObject: disk({ sizeGi: 0 }) },
  { operation: 'DELETE', oldObject: disk() },
];
for (const request of operations) {
  const { operation } = request;
  test(`[WA-18, WA-19, WA-32] a validator admits ${operation}, with its warnings`, async (t) => {
    const seen: unknown[] = [];
    const { review } = await serve(t, {
      handlers: [
        {
          validate: (object: unknown, old: unknown, { warn }: AdmissionRequest<KubeObject>) => {
            seen.push(object, old);
            warn('deprecated');
            warn('ünicode');
            return [];
          },
        },
      ],
    });
    assert.deepEqual((await review(request)).review?.response, {
      uid: 'review-1',
      allowed: true,
      status: { metadata: {}, code: 200 },
      warnings: ['deprecated', 'ünicode'],
    });
    assert.deepEqual(seen, [disk(), request.oldObject]);
  });

  test(`[WA-20] a validator rejects ${operation} with the status of an ApiError, with and without warnings`, async (t) => {
    const error = new ApiError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code: 429,
      reason: 'TooManyRequests',
      message: 'no',
      details: { retryAfterSeconds: 3 },
    });
    const { review, metrics } = await serve(t, { handlers: [{ validate: fails(error, request) }] });
    const answer = await review(request);
    assert.deepEqual(statusOf(answer), {
      metadata: {},
      status: 'Failure',
      code: 429,
      reason: 'TooManyRequests',
      message: 'no',
      details: { retryAfterSeconds: 3 },
    });
    assert.deepEqual(answer.review?.response.warnings, operation === 'UPDATE' ? ['deprecated'] : undefined);
    assert.equal(await metricValue(metrics, 'controller_runtime_webhook_panics_total'), 0);
  });

  test(`[WA-21] a validator rejects ${operation} with status 403 and the message of a DeniedError, with and without warnings`, async (t) => {
    const { review, logger } = await serve(t, {
      handlers: [{ validate: fails(new DeniedError('not today'), request) }],
    });
    const answer = await review(request);
    const { code, reason, message } = statusOf(answer) ?? {};
    assert.deepEqual([answer.review?.response.allowed, code, reason, message], [false, 403, 'Forbidden', 'not today']);
    assert.deepEqual(answer.review?.response.warnings, operation === 'UPDATE' ? ['deprecated'] : undefined);
    assert.deepEqual(logger.lines, []);
  });
}
/** Returns a validator that throws the error, after a warning on update. */
function fails(error: Error, { operation }: { readonly operation: string }) {
  return (_object: unknown, _old: unknown, { warn }: AdmissionRequest<KubeObject>): never => {
    if (operation === 'UPDATE') warn('deprecated');
    throw error;
  };
}

test('[WA-22, WA-23] several validators of one webhook reject a request together, and all warnings are returned', async (t) => {
  const validator = (name: string, violations: readonly object[]) => ({
    validate: (_object: unknown, _old: unknown, { warn }: AdmissionRequest<KubeObject>) => {
      warn(name);
      return violations;
    },
  });
  const bad = [{ field: 'spec.sizeGi', message: 'is too small' }];
  const admitted = await serve(t, { handlers: [validator('one', []), validator('two', [])] });
  const answer = await admitted.review({ object: disk() });
  assert.deepEqual([answer.review?.response.allowed, answer.review?.response.warnings], [true, ['one', 'two']]);
  const rejected = await serve(t, { handlers: [validator('one', bad), validator('two', [])] });
  const { review } = await rejected.review({ object: disk() });
  assert.deepEqual([review?.response.allowed, review?.response.status.code], [false, 422]);
});

test('[WA-24, WA-25] several defaulters of one webhook edit one draft in order, and a denial discards all edits', async (t) => {
  const add = (value: number) => ({
    default: (draft: { spec: Record<string, unknown> }, { warn }: AdmissionRequest<KubeObject>) => {
      warn(String(value));
      draft.spec['values'] = [...((draft.spec['values'] as number[] | undefined) ?? []), value];
    },
  });
  const edited = await serve(t, { type: 'defaulter', handlers: [add(1), add(2)] });
  const answer = await edited.review({ object: disk({}) });
  assert.deepEqual(patchIn(answer), [{ op: 'add', path: '/spec/values', value: [1, 2] }]);
  assert.deepEqual(answer.review?.response.warnings, ['1', '2']);
  const deny = {
    default: () => {
      throw new DeniedError('no');
    },
  };
  const denied = await (await serve(t, { type: 'defaulter', handlers: [add(1), deny] })).review({ object: disk() });
  assert.deepEqual([denied.review?.response.allowed, denied.review?.response.patch], [false, undefined]);
});

test('[WA-26] violations become a status in the wording of the API server, with one cause each', async (t) => {
  const violations = [
    { field: 'spec.schedule', message: 'must be in cron format' },
    { field: 'spec.ports[1].name', message: 'must be unique', reason: 'FieldValueDuplicate' },
    { field: 'metadata.labels[a.b/c]', message: 'is reserved', reason: 'FieldValueForbidden' },
    { field: 'spec.image', message: '', reason: 'FieldValueRequired' },
    { field: 'spec.mode', message: 'supported values: "a"', value: 'b', reason: 'FieldValueNotSupported' },
    { field: 'spec.dbPassword', message: 'is too weak' },
  ];
  const { review } = await serve(t, { handlers: [{ validate: () => violations }] });
  const spec = { schedule: 'often', ports: [{ name: 'x' }, { name: 'y' }], dbPassword: 'hunter2' };
  const answer = await review({ object: disk(spec, { labels: { 'a.b/c': 'x' } }) });
  const causes = [
    { reason: 'FieldValueInvalid', field: 'spec.schedule', message: 'Invalid value: "often": must be in cron format' },
    { reason: 'FieldValueDuplicate', field: 'spec.ports[1].name', message: 'Duplicate value: "y": must be unique' },
    { reason: 'FieldValueForbidden', field: 'metadata.labels[a.b/c]', message: 'Forbidden: is reserved' },
    { reason: 'FieldValueRequired', field: 'spec.image', message: 'Required value' },
    { reason: 'FieldValueNotSupported', field: 'spec.mode', message: 'Unsupported value: "b": supported values: "a"' },
    { reason: 'FieldValueInvalid', field: 'spec.dbPassword', message: 'Invalid value: "***": is too weak' },
  ];
  const status = statusOf(answer);
  assert.deepEqual([status?.code, status?.reason], [422, 'Invalid']);
  assert.deepEqual(status?.details, { name: 'a', group: 'example.com', kind: 'Disk', causes });
  assert.match(
    status?.message ?? '',
    /^Disk\.example\.com "a" is invalid: \[spec\.schedule: Invalid value: "often": must be in cron format, spec\.ports\[1\]/,
  );
});

test('[WA-27] rejects an object of another kind, and admits a request without a kind', async (t) => {
  const { url, review } = await serve(t, { handlers: [admits] });
  const answer = await review({ kind: { ...KIND, version: 'v2' }, object: disk() });
  assert.equal(statusOf(answer)?.code, 400);
  assert.match(
    statusOf(answer)?.message ?? '',
    /handles example\.com\/v1 Disk, but the object is example\.com\/v2 Disk; correct the rules in the webhook configuration/,
  );
  assert.equal((await postReview(url, admissionReview({ object: disk() }))).review?.response.allowed, true);
});

test('an admission class receives requests to subresources, and its two methods are separate webhooks', async (t) => {
  const calls: string[] = [];
  const handler = {
    mutate: (draft: { spec: Record<string, unknown> }, { operation }: AdmissionRequest<KubeObject>) => {
      calls.push(`mutate ${operation}`);
      draft.spec['sizeGi'] = 2;
    },
    validate: ({ operation, subresource }: AdmissionRequest<KubeObject>) => {
      calls.push(`validate ${operation} ${subresource}`);
      return [];
    },
  };
  const mutating = await serve(t, { type: 'admission', as: 'mutating', handlers: [handler] });
  assert.deepEqual(patchIn(await mutating.review({ object: disk() })), [
    { op: 'replace', path: '/spec/sizeGi', value: 2 },
  ]);
  const validating = await serve(t, { type: 'admission', as: 'validating', handlers: [handler] });
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
  const kind = { group: 'policy', version: 'v1', kind: 'Eviction' };
  await validating.review({ kind, subResource: 'eviction', object: eviction });
  assert.deepEqual(calls, ['mutate create', 'validate create eviction']);
});
