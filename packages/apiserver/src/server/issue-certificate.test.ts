import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { type CertificateContent, issueCertificate, keyText, newKeyPair } from './issue-certificate.js';

const authorityKeys = newKeyPair();
const authority = { name: { commonName: 'ca' }, privateKey: authorityKeys.privateKey };
const valid = { notBefore: new Date('2026-01-02T03:04:05Z'), notAfter: new Date('2070-01-02T03:04:05Z') };

function issued(content: Partial<CertificateContent>): X509Certificate {
  const { publicKey } = newKeyPair();
  return new X509Certificate(
    issueCertificate({ ...valid, subject: { commonName: 'it' }, publicKey, use: 'client', ...content }, authority),
  );
}

test('an authority signs itself, and others', () => {
  const itself = issued({ subject: authority.name, publicKey: authorityKeys.publicKey, use: 'authority' });
  assert.equal(itself.ca, true);
  assert.equal(itself.checkIssued(itself), true);
  assert.equal(itself.verify(authorityKeys.publicKey), true);
  const server = issued({ use: 'server' });
  assert.equal(server.ca, false);
  assert.equal(server.checkIssued(itself), true);
  assert.equal(server.verify(authorityKeys.publicKey), true);
  assert.equal(server.verify(newKeyPair().publicKey), false);
});

test('a certificate says for whom and for how long it is', () => {
  const organizations = ['painters', 'ä'.repeat(200)];
  const certificate = issued({ subject: { commonName: 'Änne', organizations } });
  const { subject } = certificate.toLegacyObject();
  assert.deepEqual({ ...(subject as object) }, { O: organizations, CN: 'Änne' });
  assert.equal(certificate.issuer, 'CN=ca');
  assert.equal(Date.parse(certificate.validFrom), valid.notBefore.getTime());
  assert.equal(Date.parse(certificate.validTo), valid.notAfter.getTime());
  assert.match(certificate.serialNumber, /^01[0-9A-F]{28}$/);
});

test('a certificate is for a server or for a client', () => {
  assert.deepEqual(issued({ use: 'server' }).keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.deepEqual(issued({ use: 'client' }).keyUsage, ['1.3.6.1.5.5.7.3.2']);
});

test('a server has names and addresses', () => {
  const hosts = ['localhost', '127.0.0.1', '::1', 'fd00::a:0:1', '1:2:3:4:5:6:7:8', '::ffff:10.0.0.1', '::'];
  const certificate = issued({ use: 'server', hosts });
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkHost('elsewhere'), undefined);
  for (const host of hosts.slice(1)) assert.equal(certificate.checkIP(host), host, host);
  assert.equal(certificate.checkIP('127.0.0.2'), undefined);
});

test('keys are PEM', () => {
  const { publicKey, privateKey } = newKeyPair();
  assert.match(keyText(publicKey), /^-----BEGIN PUBLIC KEY-----\n[^]+\n-----END PUBLIC KEY-----$/);
  assert.match(keyText(privateKey), /^-----BEGIN PRIVATE KEY-----\n[^]+\n-----END PRIVATE KEY-----$/);
});
