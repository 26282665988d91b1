import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { tlsOptionsOf } from './tls-options.js';

const connection = { server: 'https://10.0.0.1' };

test('certificates are read once for all connections', () => {
  const [ca] = rootCertificates;
  const options = tlsOptionsOf(connection, { ca, clientCertificate: undefined });
  assert.equal(options.ca, ca);
  assert.ok(options.secureContext);
});

test('those that cannot be read are left to each connection, which tells the error', () => {
  const clientCertificate = { cert: 'no certificate', key: 'no key' };
  const options = tlsOptionsOf(connection, { ca: undefined, clientCertificate });
  assert.deepEqual(options, { minVersion: 'TLSv1.2', ...clientCertificate });
});
