import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Metrics } from '../metrics/metrics.js';
import { ManualClock } from '../test-support/manual-clock.js';
import { metricValue } from '../test-support/metric-value.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { FileCertificates } from './file-certificates.js';
import type { KeyPair } from './key-pair.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

const INTERVAL_MS = 10_000;

/** Creates `FileCertificates` for files in a new folder. Returns functions that start them, write the files and await a new key pair. */
async function setUp(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  const [clock, logger, metrics] = [new ManualClock(), new RecordingLogger(), new Metrics()];
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  const certificates = new FileCertificates({ certFile, keyFile }, { clock, logger, metrics });
  t.after(async () => {
    await certificates[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const waiting: ((keyPair: KeyPair) => void)[] = [];
  certificates.onChange((keyPair) => waiting.shift()?.(keyPair));
  /** Resolves with the key pair that the next reading of the files reports. */
  const changed = (): Promise<KeyPair> => {
    const reported = new Promise<KeyPair>((resolve) => waiting.push(resolve));
    clock.advance(INTERVAL_MS);
    return reported;
  };
  const start = () => certificates.start(new AbortController().signal);
  const write = async ({ cert, key }: KeyPair, to = folder): Promise<void> => {
    await writeFile(join(to, 'tls.crt'), cert);
    await writeFile(join(to, 'tls.key'), key);
  };
  return { folder, certFile, clock, logger, metrics, start, write, changed };
}

test('[WC-17] rejects the start if a file is missing, and names the file', async (t) => {
  const { start, certFile } = await setUp(t);
  await assert.rejects(start(), {
    code: 'INVALID_CERTIFICATE',
    message: new RegExp(`cannot read certificate file ${certFile}`),
  });
});

test('[WC-19] reports a new certificate after a write, and after a symbolic link or a folder is replaced', async (t) => {
  const { folder, start, write, changed } = await setUp(t);
  const [first, second, third] = [1, 2, 3].map(() => selfSignedCertificate(['localhost'])) as [
    KeyPair,
    KeyPair,
    KeyPair,
  ];
  await write(first);
  assert.deepEqual(await start(), first);
  await write(second);
  assert.deepEqual(await changed(), second);
  // Kubernetes replaces a symbolic link to the folder of a mounted Secret.
  await mkdir(join(folder, 'next'));
  await write(third, join(folder, 'next'));
  for (const name of ['tls.crt', 'tls.key']) {
    await symlink(join(folder, 'next', name), join(folder, 'link'));
    await rename(join(folder, 'link'), join(folder, name));
  }
  assert.deepEqual(await changed(), third);
});

test('[WC-20] counts reads and errors, logs an error once, and keeps the certificate', async (t) => {
  const { certFile, start, write, changed, clock, logger, metrics } = await setUp(t);
  const [first, second] = [selfSignedCertificate(['localhost']), selfSignedCertificate(['localhost'])];
  await write(first);
  await start();
  const value = (name: string) => metricValue(metrics, `certwatcher_read_certificate_${name}`);
  assert.deepEqual([await value('total'), await value('errors_total')], [1, 0]);
  await writeFile(certFile, 'no certificate');
  for (const errors of [1, 2]) {
    clock.advance(INTERVAL_MS);
    await clock.scheduled(INTERVAL_MS);
    assert.equal(await value('errors_total'), errors);
  }
  assert.equal(logger.lines.filter(({ level }) => level === 'error').length, 1);
  await write(second);
  assert.deepEqual(await changed(), second);
  assert.deepEqual([await value('total'), await value('errors_total')], [4, 2]);
});
