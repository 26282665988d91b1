import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Pod } from '@kubewright/api/core/v1';
import { CachedClient } from '../../client/cached-client.js';
import { runInScope } from '../../client/scope/reconcile-scope.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { Discovery } from '../../transport/discovery/discovery.js';
import { Transport } from '../../transport/sending/transport.js';
import { newRun } from './reconcile-run.js';
import { RunScope } from './run-scope.js';
import { countAbortControllers } from '../../test-support/count-abort-controllers.js';
import { RunSignal } from './run-signal.js';

const metadata = { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7', creationTimestamp: '' };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } } as Pod;

/** Starts a server that calls `answer` for each request. `inRun` calls the client in a run with this signal. */
async function setUp(answer: (response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const transport = new Transport({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const [clock, logger] = [new SystemClock(), new RecordingLogger()];
  const client = new CachedClient({
    backend: () => ({ transport, discovery: new Discovery(transport) }),
    clock,
    logger,
    fieldManager: 'tester',
  });
  const options = { controller: 'tester', owns: [], onWrite: () => undefined, onUnanswered: () => undefined };
  const of = { name: 'tester', kindName: 'Pod', timeoutMs: undefined };
  const run = newRun({ id: 'shop/web', causes: [], attempt: 1, startedMs: 0 }, of, { clock, logger });
  return {
    inRun: <R>(signal: RunSignal, work: (client: CachedClient) => R): R =>
      runInScope(new RunScope(options, run, signal), () => work(client)),
    async [Symbol.asyncDispose](): Promise<void> {
      await transport.close();
      server.close();
    },
  };
}

test('a request of a run creates no AbortController', async () => {
  const json = JSON.stringify(pod);
  await using bench = await setUp((response) => {
    response.setHeader('content-type', 'application/json').end(json);
  });
  const write = (phase: string) => bench.inRun(new RunSignal(), (client) => client.patchStatus(pod, { phase }));
  await write('Pending');
  const controllers = countAbortControllers();
  await write('Running').finally(() => controllers.stop());
  assert.equal(controllers.stop(), 0);
});

test('an abort of a run aborts its requests, and later calls fail with the same reason', async () => {
  const [signal, reason] = [new RunSignal(), new Error('the operator is stopping')];
  await using bench = await setUp(() => signal.abort(reason));
  const isReason = (error: unknown): boolean => error === reason;
  await assert.rejects(
    bench.inRun(signal, (client) => client.patchStatus(pod, { phase: 'Running' })),
    isReason,
  );
  await assert.rejects(
    bench.inRun(signal, (client) => client.live.get(Pod, metadata)),
    isReason,
  );
});

test('an abort of a run aborts the requests of a client with an own signal', async () => {
  const [signal, reason] = [new RunSignal(), new Error('the operator is stopping')];
  await using bench = await setUp(() => signal.abort(reason));
  const own = new AbortController().signal;
  await assert.rejects(
    bench.inRun(signal, (client) => client.with({ signal: own }).patchStatus(pod, { phase: 'Running' })),
    (error) => error === reason,
  );
});
