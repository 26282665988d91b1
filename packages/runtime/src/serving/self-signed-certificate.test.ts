import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { selfSignedCertificate } from './self-signed-certificate.js';

test('a certificate is valid for a year, for each host name and IP address, and is signed with its own key', () => {
  const before = Date.now();
  const { cert, key } = selfSignedCertificate([
    'pod-0',
    'localhost',
    '127.0.0.1',
    '::1',
    'fe80::1:2%eth0',
    '1:2:3:4:5:6:7:8',
  ]);
  const certificate = new X509Certificate(cert);
  assert.equal(certificate.subject, 'CN=pod-0');
  assert.equal(certificate.issuer, 'CN=pod-0');
  for (const name of ['pod-0', 'localhost']) assert.equal(certificate.checkHost(name), name);
  for (const address of ['127.0.0.1', '::1', 'fe80::1:2', '1:2:3:4:5:6:7:8']) {
    assert.equal(certificate.checkIP(address), address);
  }
  assert.equal(certificate.checkHost('example.com'), undefined);
  assert.ok(certificate.verify(certificate.publicKey));
  assert.ok(certificate.checkPrivateKey(createPrivateKey(key)));
  const [from, to] = [certificate.validFrom, certificate.validTo].map((text) => Date.parse(text)) as [number, number];
  assert.ok(from < before, certificate.validFrom);
  assert.ok(to > before + 364 * 24 * 3_600_000, certificate.validTo);
});

test('two certificates have different keys and serial numbers', () => {
  const [first, second] = [selfSignedCertificate(['a']), selfSignedCertificate(['a'])];
  assert.notEqual(first.key, second.key);
  assert.notEqual(new X509Certificate(first.cert).serialNumber, new X509Certificate(second.cert).serialNumber);
});

test('shortens a long host name, but only in the common name', () => {
  const host = `${'a'.repeat(60)}.example.com`;
  const certificate = new X509Certificate(selfSignedCertificate([host]).cert);
  assert.equal(certificate.subject, `CN=${host.slice(0, 64)}`);
  assert.equal(certificate.checkHost(host), host);
});
