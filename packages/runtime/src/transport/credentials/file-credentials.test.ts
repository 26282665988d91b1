import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiError } from '@kubewright/api/errors';
import { selfSignedCertificate } from '../../serving/self-signed-certificate.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { ScriptedServer } from '../../test-support/scripted-server.js';
import { FileCredentials } from './file-credentials.js';
import { Transport } from '../sending/transport.js';

class Folder implements AsyncDisposable {
  readonly path: string;
  private constructor(path: string) {
    this.path = path;
  }
  static async make(): Promise<Folder> {
    return new Folder(await mkdtemp(join(tmpdir(), 'kubewright-files-')));
  }
  file(name: string): string {
    return join(this.path, name);
  }
  write(name: string, text: string): Promise<void> {
    return writeFile(this.file(name), text);
  }
  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}

test('[CG-187] reads a token file again after 50 s, once for concurrent requests', async () => {
  await using folder = await Folder.make();
  const clock = new ManualClock();
  const source = new FileCredentials({ tokenFile: folder.file('token'), clock });
  await folder.write('token', 'first\n');
  const [first, same] = await Promise.all([source.get(), source.get()]);
  assert.deepEqual(first, { token: 'first' });
  assert.equal(first, same);
  await folder.write('token', 'second\n');
  clock.advance(49_999);
  assert.equal(await source.get(), first);
  clock.advance(1);
  const both = await Promise.all([source.get(), source.get()]);
  assert.deepEqual(both[0], { token: 'second' });
  assert.equal(both[0], both[1]);
  clock.advance(50_000);
  assert.equal(await source.get(), both[0], 'the same content is the same credential');
});

test('[CG-187] keeps the last token, and logs a warning, if the token file is missing or empty', async () => {
  await using folder = await Folder.make();
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const source = new FileCredentials({ tokenFile: folder.file('token'), clock, logger });
  await assert.rejects(async () => source.get(), /ENOENT/, 'without an earlier credential, the error is reported');
  await folder.write('token', 'first');
  const first = await source.get();
  await rm(folder.file('token'));
  clock.advance(50_000);
  assert.equal(await source.get(), first);
  await folder.write('token', ' \n');
  clock.advance(50_000);
  assert.equal(await source.get(), first);
  await folder.write('token', 'second');
  clock.advance(49_999);
  assert.equal(await source.get(), first, 'a failed read is not repeated for each request');
  clock.advance(1);
  assert.deepEqual(await source.get(), { token: 'second' });
  assert.equal(logger.lines.length, 2);
  assert.ok(!JSON.stringify(logger.lines).includes('first'));
});

test('[CG-187] uses the given token until the token file can be read for the first time', async () => {
  await using folder = await Folder.make();
  const source = new FileCredentials({ tokenFile: folder.file('token'), token: 'given', clock: new ManualClock() });
  assert.deepEqual(await source.get(), { token: 'given' });
});

test('[CG-188] reads the files again after a 401, and retries the request once if the token has changed', async () => {
  await using folder = await Folder.make();
  await using server = await ScriptedServer.start();
  await folder.write('token', 'old');
  const credentials = new FileCredentials({ tokenFile: folder.file('token'), clock: new ManualClock() });
  await using transport = new Transport({ server: server.url, credentials });
  const answered = transport.request({ method: 'DELETE', path: '/' });
  const refused = await server.next();
  await folder.write('token', 'new');
  refused.status(401, 'Unauthorized');
  const again = await server.next();
  assert.deepEqual([again.method, again.headers.authorization], ['DELETE', 'Bearer new']);
  again.json(200, {});
  await answered;
  const rejected = assert.rejects(
    transport.request({ method: 'GET', path: '/' }),
    (error) => error instanceof ApiError && error.status === 401,
  );
  (await server.next()).status(401, 'Unauthorized');
  await rejected;
  assert.equal(server.unconsumed, 0);
  const opening = transport.stream({ path: '/watch' });
  const stream = await server.next();
  await folder.write('token', 'newest');
  stream.status(401, 'Unauthorized');
  const reopened = await server.next();
  assert.equal(reopened.headers.authorization, 'Bearer newest');
  reopened.open();
  (await opening).close();
});

test('[CG-195] uses new certificate files only if the certificate and the key match', async () => {
  await using folder = await Folder.make();
  const [one, two] = [selfSignedCertificate(['a']), selfSignedCertificate(['b'])];
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const certificateFiles = { cert: folder.file('crt'), key: folder.file('key') };
  const source = new FileCredentials({ certificateFiles, clock, logger });
  await folder.write('crt', one.cert);
  await folder.write('key', one.key);
  const first = await source.get();
  assert.deepEqual(first, { clientCertificate: { cert: one.cert, key: one.key } });
  await folder.write('crt', two.cert);
  clock.advance(50_000);
  assert.equal(await source.get(), first);
  assert.match(String(logger.lines[0]?.fields['error']), /do not contain a certificate and its key/);
  await folder.write('key', two.key);
  clock.advance(50_000);
  assert.deepEqual(await source.get(), { clientCertificate: { cert: two.cert, key: two.key } });
});
