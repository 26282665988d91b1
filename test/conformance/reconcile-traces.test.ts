import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Result, type TransportObserver } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { Pool, pool } from './reconcile-kinds.js';

const exporter = new InMemorySpanExporter();
let env: TestEnvironment;
before(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator({
    inject: (active, carrier: Record<string, string>) => {
      carrier['traceparent'] = `00-${trace.getSpanContext(active)?.traceId}-${trace.getSpanContext(active)?.spanId}-01`;
    },
    extract: (active) => active,
    fields: () => ['traceparent'],
  });
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  env = await startEnvironment({ kinds: [Pool] });
});
after(async () => {
  await env[Symbol.asyncDispose]();
  trace.disable();
  propagation.disable();
  context.disable();
});

test('one change produces one trace, from the watch event to the writes, and the manager sends the trace context to the server', async () => {
  const parents = new Set<string>();
  const observer: TransportObserver = {
    request: ({ headers, verb }) => ({
      ended: () => void (verb === 'PATCH' && headers['traceparent'] && parents.add(String(headers['traceparent']))),
    }),
  };
  const manager = env.manager({ observers: [observer] });
  manager.control({ for: Pool, name: 'traced', owns: [ConfigMap] }, async (object: Pool) => {
    await manager.client.applyOwned(object, [new ConfigMap({ metadata: { name: 'traced' }, data: { a: '1' } })]);
    await manager.client.patchStatus(object, { phase: 'Traced' });
    return Result.done();
  });
  await manager.start();
  const made = await env.client.create(pool('traced'));
  await env.until(made, ({ status }) => status?.phase === 'Traced' && status.conditions !== undefined);
  await env.settled();
  await manager.stop();
  const spans = exporter.getFinishedSpans();
  const run = spans.find(({ name }) => name === 'reconcile traced') as ReadableSpan;
  const events = run.links.map((link) => spans.find((span) => span.spanContext().spanId === link.context.spanId));
  assert.deepEqual(
    events.map((event) => event?.attributes['kubewright.cause']),
    ['added'],
  );
  assert.equal(run.attributes['kubewright.object'], 'Pool default/traced');
  assert.equal(run.attributes['kubewright.outcome'], 'success');
  const parts = spans.filter((span) => span.parentSpanContext?.spanId === run.spanContext().spanId);
  const patches = parts.filter(({ name }) => name.startsWith('PATCH'));
  assert.deepEqual(new Set(patches.map(({ name }) => name)), new Set(['PATCH configmaps', 'PATCH pools/status']));
  assert.ok(parts.some(({ name }) => name === 'queue'));
  for (const patch of patches) {
    const { traceId, spanId } = patch.spanContext();
    assert.ok(parents.has(`00-${traceId}-${spanId}-01`), patch.name);
  }
});
