import assert from 'node:assert/strict';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { ConfigMap } from '@kubewright/api/core/v1';
import { type Manager, type ManagerOptions, Result } from '@kubewright/runtime';
import { parseMetrics, type TestEnvironment } from '@kubewright/testing';
import { Counter, register } from 'prom-client';
import { startEnvironment } from '../server/start-environment.js';

let env: TestEnvironment;
before(async () => {
  env = await startEnvironment();
});
after(() => env[Symbol.asyncDispose]());

const LOCAL = { port: 0, host: '127.0.0.1' } as const;

/** Starts a manager with these options. */
async function running(options: ManagerOptions, prepare: (manager: Manager) => void = () => undefined) {
  const manager = env.manager(options);
  prepare(manager);
  await manager.start();
  return manager;
}
/** Requests a path of an endpoint. Rejects if no server listens. */
function fetchFrom(address: { readonly port: number } | undefined, path: string, secure = false) {
  assert.ok(address, 'the server does not listen');
  const { port } = address;
  return new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, agent: false, ...(secure && { rejectUnauthorized: false }) };
    const request = (secure ? getSecurely : get)(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    request.on('error', reject);
  });
}
/** Starts a server on a free port, and returns the port. */
async function takenPort(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

test('[MG-23, MG-49, MG-50, MG-53] the metrics port serves metrics and nothing else, and only while the manager runs', async () => {
  await using manager = await running({ metrics: LOCAL }, (made) => {
    made.control({ for: ConfigMap, name: 'configs' }, async () => Result.done());
  });
  const { address } = manager.metricsServer;
  const { status, text } = await fetchFrom(address, '/metrics');
  assert.equal(status, 200);
  assert.equal(parseMetrics(text).get('controller_runtime_reconcile_total')?.type, 'counter');
  for (const path of ['/', '/healthz', '/readyz', '/debug/pprof/', '/metrics/more']) {
    assert.equal((await fetchFrom(address, path)).status, 404, path);
  }
  await manager.stop();
  await assert.rejects(fetchFrom(address, '/metrics'), { code: 'ECONNREFUSED' });
});

test('[MG-24] the manager serves metrics over HTTPS with secure: true', async () => {
  await using manager = await running({ metrics: { ...LOCAL, secure: true } });
  assert.equal((await fetchFrom(manager.metricsServer.address, '/metrics', true)).status, 200);
});

test('[MG-25, MG-26, MG-29] the start of a manager fails if a port is in use, and the error names the option that sets another port', async () => {
  await using taken = await takenPort();
  const at = { port: taken.port, host: '127.0.0.1' };
  const cases: readonly (readonly [ManagerOptions, RegExp])[] = [
    [
      { metrics: at },
      /cannot serve metrics on 127\.0\.0\.1, port \d+: the port is already in use; .* set metrics\.port/,
    ],
    [{ metrics: { ...at, secure: true } }, /set metrics\.port/],
    [{ health: at }, /set health\.port/],
    [{ profiling: at }, /set profiling\.port/],
  ];
  for (const [options, message] of cases) {
    await assert.rejects(running(options), { code: 'ADDRESS_IN_USE', message });
  }
});

test('[MG-51] the manager serves the metrics of the global registry of prom-client', async () => {
  const counter = new Counter({ name: 'widgets_painted_total', help: 'Widgets that were painted.' });
  try {
    counter.inc(3);
    await using manager = await running({ metrics: LOCAL });
    const { text } = await fetchFrom(manager.metricsServer.address, '/metrics');
    assert.equal(parseMetrics(text).get('widgets_painted_total')?.samples[0]?.value, 3);
  } finally {
    register.removeSingleMetric('widgets_painted_total');
  }
});

test('[MG-52] the manager serves additional handlers beside the metrics, from options or added later, and rejects a duplicate path', async () => {
  const metrics = {
    ...LOCAL,
    handlers: { '/version': (_: unknown, response: { end(text: string): void }) => response.end('1') },
  };
  await using manager = await running({ metrics }, ({ metricsServer }) => {
    metricsServer.handle('/more', (_, response) => void response.end('2'));
  });
  const { address } = manager.metricsServer;
  assert.equal((await fetchFrom(address, '/version')).text, '1');
  assert.equal((await fetchFrom(address, '/more')).text, '2');
  assert.throws(() => manager.metricsServer.handle('/metrics', () => undefined), { code: 'INVALID_SERVING_OPTIONS' });
});

test('[MG-28, MG-54, MG-56] the manager serves readiness, as a whole and for each named check, until the manager stops', async () => {
  let problem: string | undefined = 'the disk is full';
  await using manager = await running({ health: LOCAL }, (made) => {
    made.control({ for: ConfigMap, name: 'configs' }, async () => Result.done());
    made.health.addReadyCheck({ name: 'disk', check: () => problem });
  });
  const { address } = manager.health;
  assert.equal((await fetchFrom(address, '/readyz')).status, 500);
  assert.deepEqual(await fetchFrom(address, '/readyz/disk'), {
    status: 500,
    text: 'internal server error: the disk is full\n',
  });
  assert.equal((await fetchFrom(address, '/readyz/controller-configs')).status, 200);
  problem = undefined;
  assert.deepEqual(await fetchFrom(address, '/readyz'), { status: 200, text: 'ok' });
  const { text } = await fetchFrom(address, '/readyz?verbose');
  assert.equal(text, '[+]manager ok\n[+]controller-configs ok\n[+]disk ok\nreadyz check passed\n');
  assert.equal((await fetchFrom(address, '/readyz/nothing')).status, 404);
  await manager.stop();
  await assert.rejects(fetchFrom(address, '/readyz'), { code: 'ECONNREFUSED' });
});

test('[MG-55] the manager serves liveness, as a whole and for each named check', async () => {
  await using manager = await running({ health: LOCAL }, ({ health }) =>
    health.addLiveCheck({ name: 'loop', check: () => undefined }),
  );
  const { address } = manager.health;
  assert.deepEqual(await fetchFrom(address, '/healthz'), { status: 200, text: 'ok' });
  for (const name of ['ping', 'leader-election', 'loop']) {
    assert.equal((await fetchFrom(address, `/healthz/${name}`)).status, 200, name);
  }
});

test('while the manager waits for its kinds, liveness succeeds and readiness fails with the reason', async () => {
  const { dynamicKind } = await import('@kubewright/api');
  await using manager = env.manager({ health: LOCAL });
  manager.control({ for: dynamicKind('nowhere.example.com/v1', 'Latecomer'), name: 'late' }, async () => Result.done());
  const started = manager.start();
  while (manager.health.address === undefined) await new Promise((resolve) => setImmediate(resolve));
  assert.equal((await fetchFrom(manager.health.address, '/healthz')).status, 200);
  const { status, text } = await fetchFrom(manager.health.address, '/readyz/controller-late');
  assert.equal(status, 500);
  assert.match(text, /controller 'late' (is starting its informers|cannot start its informers)/);
  await manager.stop();
  await assert.rejects(started, { code: 'STOPPED' });
});

test('outside a Pod, the manager does not listen on any port by default', async () => {
  await using manager = await running({});
  assert.deepEqual(manager.status().endpoints, {});
  assert.equal(manager.health.address, undefined);
});

test('[MG-57, MG-58] the manager serves profiles of the process with the profiling option, only on the loopback address, until the manager stops', async () => {
  await using manager = await running({ profiling: { port: 0 } });
  const address = manager.status().endpoints['profiling'];
  assert.equal(address?.host, '127.0.0.1');
  const cpu = JSON.parse((await fetchFrom(address, '/debug/pprof/profile?seconds=0.01')).text);
  assert.ok(Array.isArray(cpu.nodes) && cpu.endTime > cpu.startTime);
  const heap = JSON.parse((await fetchFrom(address, '/debug/pprof/heap?seconds=0.01')).text);
  assert.equal(typeof heap.head.callFrame.functionName, 'string');
  assert.equal((await fetchFrom(address, '/debug/pprof/profile?seconds=-1')).status, 400);
  assert.equal((await fetchFrom(address, '/debug/pprof/other')).status, 404);
  await manager.stop();
  await assert.rejects(fetchFrom(address, '/debug/pprof/heap'), { code: 'ECONNREFUSED' });
});

test('the recording of a profile does not delay the stop of the manager', async () => {
  await using manager = await running({ profiling: { port: 0 } });
  const requested = fetchFrom(manager.status().endpoints['profiling'], '/debug/pprof/profile?seconds=300');
  const other = await fetchFrom(manager.status().endpoints['profiling'], '/debug/pprof/heap?seconds=0.01');
  assert.equal(other.status, 409, 'the server records one profile at a time');
  await manager.stop();
  assert.equal((await requested).status, 503);
});
