import assert from 'node:assert/strict';
import { createServer as createHttps } from 'node:https';
import { createSecureServer } from 'node:http2';
import type { RequestListener, Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { CaFile } from './ca-file.js';
import type { CaReload } from '../request/transport-observer.js';
import { Transport } from '../sending/transport.js';

const [first, second] = [selfSignedCertificate(['127.0.0.1']), selfSignedCertificate(['127.0.0.1'])];

async function inFolder(run: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-ca-'));
  try {
    await run(join(folder, 'ca.crt'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('[CG-189] reads a CA file every minute, and keeps the last certificates if the file is invalid', () =>
  inFolder(async (file) => {
    await writeFile(file, first.cert);
    const clock = new ManualClock();
    const logger = new RecordingLogger();
    const outcomes: CaReload[] = [];
    const ca = new CaFile({
      file,
      initial: first.cert,
      clock,
      logger,
      onReload: (outcome) => void outcomes.push(outcome),
    });
    const after = async (text: string | undefined): Promise<string | undefined> => {
      if (text === undefined) await rm(file);
      else await writeFile(file, text);
      clock.advance(60_000);
      const [current, same] = await Promise.all([ca.current(), ca.current()]);
      assert.equal(current, same);
      return current;
    };
    await writeFile(file, second.cert);
    clock.advance(59_999);
    assert.equal(await ca.current(), first.cert);
    assert.deepEqual(outcomes, []);
    assert.equal(await after(first.cert), first.cert);
    assert.equal(await after(second.cert), second.cert);
    assert.equal(await after(''), second.cert);
    assert.equal(await after('no certificate'), second.cert);
    assert.equal(await after('-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n'), second.cert);
    assert.equal(await after(undefined), second.cert);
    assert.equal(await after(`${first.cert}\n${second.cert}`), `${first.cert}\n${second.cert}`);
    assert.deepEqual(outcomes, ['unchanged', 'changed', 'empty', 'invalid', 'invalid', 'unreadable', 'changed']);
    assert.deepEqual(
      logger.lines.map(({ level }) => level),
      ['info', 'warn', 'warn', 'warn', 'warn', 'info'],
    );
  }));

test('[CG-189] ignores an empty CA file until it contains a certificate', () =>
  inFolder(async (file) => {
    await writeFile(file, '');
    const clock = new ManualClock();
    const ca = new CaFile({ file, initial: undefined, clock, logger: undefined, onReload: () => undefined });
    clock.advance(60_000);
    assert.equal(await ca.current(), undefined);
    await writeFile(file, first.cert);
    clock.advance(60_000);
    assert.equal(await ca.current(), first.cert);
  }));

/** Advances the clock by a minute, while the server responds to each PING of an HTTP/2 connection. */
async function minute(clock: ManualClock): Promise<void> {
  for (let half = 0; half < 2; half++) {
    clock.advance(30_000);
    while (clock.pendingMs.includes(15_000)) await new Promise((resolve) => setImmediate(resolve));
  }
}

const makers: Readonly<Record<string, (listener: RequestListener) => Server>> = {
  'HTTP/1.1': (listener) => createHttps(first, listener),
  'HTTP/2': (listener) => createSecureServer({ ...first, allowHTTP1: true }, listener as never) as unknown as Server,
};
for (const [name, make] of Object.entries(makers)) {
  test(`[CG-190] over ${name}: new connections use changed CAs, requests in flight continue, and unchanged CAs have no effect`, () =>
    inFolder(async (caFile) => {
      await using server = await ScriptedServer.start(make, 'https');
      const clock = new ManualClock();
      await writeFile(caFile, first.cert);
      const seen: CaReload[] = [];
      const observers = [{ caReloaded: (outcome: CaReload) => void seen.push(outcome) }];
      await using transport = new Transport({ server: server.url, ca: first.cert, caFile }, { clock, observers });
      const opening = transport.stream({ path: '/watch' });
      const watch = (await server.next()).send('a');
      const bytes = (await opening)[Symbol.asyncIterator]();
      await bytes.next();
      const slow = transport.request({ method: 'POST', path: '/', body: {} });
      const slowExchange = await server.next();

      await writeFile(caFile, `${first.cert}\n${second.cert}`);
      await minute(clock);
      const before = server.connections;
      const answered = transport.request({ method: 'GET', path: '/' });
      (await server.next()).json(200, {});
      await answered;
      assert.equal(server.connections, before + 1);
      slowExchange.json(200, { slow: true });
      assert.deepEqual(await slow, { slow: true });
      watch.send('b');
      assert.equal(String((await bytes.next()).value), 'b');
      watch.end();
      assert.equal((await bytes.next()).done, true);

      await writeFile(caFile, second.cert);
      await minute(clock);
      await assert.rejects(transport.request({ method: 'GET', path: '/' }), /self-signed certificate/);
      await assert.rejects(transport.stream({ path: '/watch' }), /self-signed certificate/);
      await writeFile(caFile, first.cert);
      await minute(clock);
      const healed = transport.request({ method: 'GET', path: '/' });
      (await server.next()).json(200, {});
      await healed;
      assert.deepEqual(seen, ['changed', 'changed', 'changed']);
    }));
}
