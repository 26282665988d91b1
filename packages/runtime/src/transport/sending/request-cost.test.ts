import assert from 'node:assert/strict';
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Metrics } from '../../metrics/metrics.js';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import type { Connection } from '../connection/connection.js';
import { FileCredentials } from '../credentials/file-credentials.js';
import { Transport } from './transport.js';

/**
 * The promises of a request: one for the request, one for its attempts, one for the response, and one for each of two `await` expressions.
 * If a program uses AsyncLocalStorage, each promise calls three hooks.
 */
const MAX_PROMISES = 5;

/** Sends a request and responds to it. Returns the number of promises that the request created before its response arrived. */
async function promisesOf(server: ScriptedServer, send: () => Promise<unknown>): Promise<number> {
  const measured = new AsyncLocalStorage<{ promises: number }>();
  const counted = { promises: 0 };
  const hook = createHook({
    init: (_id, type) => {
      const store = type === 'PROMISE' ? measured.getStore() : undefined;
      if (store !== undefined) store.promises++;
    },
  }).enable();
  try {
    const answered = measured.run(counted, send);
    (await server.next()).json(200, {});
    await answered;
  } finally {
    hook.disable();
  }
  return counted.promises;
}

async function changingCredentials(folder: string): Promise<Partial<Connection>> {
  const [tokenFile, caFile] = [join(folder, 'token'), join(folder, 'ca.crt')];
  const { cert } = selfSignedCertificate(['localhost']);
  await Promise.all([writeFile(tokenFile, 'secret'), writeFile(caFile, cert)]);
  return { ca: cert, caFile, credentials: new FileCredentials({ tokenFile, clock: new SystemClock() }) };
}

test('a request with known credentials creates at most five promises, with static credentials and with credentials from files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-request-'));
  await using server = await ScriptedServer.start();
  const metrics = new Metrics({ process: false });
  const { signal } = new AbortController();
  for (const connection of [{ token: 'secret' }, await changingCredentials(folder)]) {
    await using transport = new Transport({ server: server.url, ...connection }, { metrics });
    const request = (): Promise<unknown> => transport.request({ method: 'PATCH', path: '/a', body: {}, signal });
    // The first request connects and reads the files.
    await promisesOf(server, request);
    const promises = await promisesOf(server, request);
    assert.ok(promises > 0 && promises <= MAX_PROMISES, `${promises} promises`);
  }
  await rm(folder, { recursive: true });
});

test('a pending request adds one listener to its signal, and the listener is removed with the response', async () => {
  await using server = await ScriptedServer.start();
  await using transport = new Transport({ server: server.url });
  const { signal } = new AbortController();
  const answered = transport.request({ method: 'GET', path: '/a', signal });
  const exchange = await server.next();
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  exchange.json(200, {});
  await answered;
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
