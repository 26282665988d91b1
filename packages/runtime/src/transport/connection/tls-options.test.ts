import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { tlsOptionsOf } from './tls-options.js';

const connection = { server: 'https://10.0.0.1' };

test('parses certificates once for all connections', () => {
  const [ca] = rootCertificates;
  const options = tlsOptionsOf(connection, { ca, clientCertificate: undefined });
  assert.equal(options.ca, ca);
  assert.ok(options.secureContext);
});

test('if certificates cannot be parsed, each connection receives the unchanged certificates', () => {
  const clientCertificate = { cert: 'no certificate', key: 'no key' };
  const options = tlsOptionsOf(connection, { ca: undefined, clientCertificate });
  assert.deepEqual(options, { minVersion: 'TLSv1.2', ...clientCertificate });
});
