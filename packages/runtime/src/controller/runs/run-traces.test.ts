import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { counted, done, machine, setUp } from '../../test-support/controller-bench.js';
import { openTracer, Tracer } from '../../tracing/tracer.js';
import { RequestSpans } from '../../transport/observation/request-spans.js';
import { Result } from '../reconciler/result.js';

const exporter = new InMemorySpanExporter();
const tracer = new Tracer(api);
before(() => {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
});
beforeEach(() => exporter.reset());
after(() => {
  api.trace.disable();
  api.context.disable();
});
const spans = (name: RegExp): readonly ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => name.test(span.name));
const parent = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;

test('traces a run with links to its events, and with spans for its queue time and its requests', async () => {
  const requests = new RequestSpans(tracer);
  const { run } = counted(async (call) => {
    await Promise.resolve();
    const path = '/apis/test.dev/v1/namespaces/default/machines/a/status';
    const about = {
      host: 'server',
      path,
      query: '',
      attempted: 'patch',
      headers: {},
      body: undefined,
      requestBytes: 0,
    };
    const progress = requests.request({ verb: 'PATCH', stream: false, ...about });
    progress?.ended?.({ code: 200, durationMs: 1, retries: 1, responseBytes: 2 });
    if (call === 2) throw new Error('no disk');
    return call === 1 ? Result.requeueAfter('1m') : done();
  });
  const { machines, settle, advance } = await setUp(run, { reconcileCondition: false }, { tracer });
  machines.put(machine('a'));
  await settle();
  const [event] = spans(/^event added$/);
  const [reconcile] = spans(/^reconcile machine$/);
  const [queue] = spans(/^queue$/);
  const [request] = spans(/^PATCH machines\/status$/);
  assert.deepEqual(
    reconcile?.links.map(({ context }) => context.spanId),
    [event?.spanContext().spanId],
  );
  assert.notEqual(event?.spanContext().traceId, reconcile?.spanContext().traceId);
  assert.deepEqual([parent(queue), parent(request)], Array(2).fill(reconcile?.spanContext().spanId));
  assert.deepEqual(reconcile?.attributes, {
    'kubewright.controller': 'machine',
    'kubewright.object': 'Machine default/a',
    'kubewright.causes': ['added'],
    'kubewright.attempt': 1,
    'kubewright.outcome': 'requeue_after',
  });
  assert.equal(request?.attributes['http.response.status_code'], 200);
  assert.equal(request?.attributes['http.request.resend_count'], 1);
  await advance(60_000);
  const failed = spans(/^reconcile/)[1];
  assert.equal(failed?.status.code, api.SpanStatusCode.ERROR);
  assert.deepEqual([failed?.attributes['kubewright.causes'], failed?.links], [['requeue'], []]);
});

test('creates no spans for untraced requests and for streams', () => {
  const requests = new RequestSpans(tracer);
  const about = {
    verb: 'GET',
    host: 'h',
    path: '/api/v1/pods',
    query: '',
    attempted: 'list',
    headers: {},
    body: undefined,
    requestBytes: 0,
  };
  assert.equal(requests.request({ ...about, stream: false }), undefined);
  const span = tracer.begin('outer');
  assert.ok(span);
  tracer.within(span, () => assert.equal(requests.request({ ...about, stream: true }), undefined));
});

test('returns no tracer if no SDK is registered', async () => {
  assert.ok((await openTracer()) instanceof Tracer);
  api.trace.disable();
  assert.equal(await openTracer(), undefined);
});
