import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { servingCertificate } from './certificates.js';
import { encodedName, extensions, issueCertificate, keyText, newKeyPair } from '@kubewright/api/certificates';

test('the authority of a serving certificate verifies the certificate for its host names and addresses', () => {
  const serving = servingCertificate('::1');
  const authority = new X509Certificate(serving.certificateAuthority);
  const certificate = new X509Certificate(serving.certificate);
  assert.equal(authority.subject, 'CN=kubewright-ca');
  assert.equal(authority.ca, true);
  assert.ok(authority.verify(authority.publicKey));
  assert.equal(certificate.subject, 'CN=kubewright-apiserver');
  assert.equal(certificate.ca, false);
  assert.ok(certificate.checkIssued(authority));
  assert.ok(certificate.verify(authority.publicKey));
  assert.ok(certificate.checkPrivateKey(createPrivateKey(serving.key)));
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  for (const name of ['localhost', 'kubernetes.default.svc']) assert.equal(certificate.checkHost(name), name);
  for (const address of ['127.0.0.1', '::1']) assert.equal(certificate.checkIP(address), address);
  assert.equal(servingCertificate('::1'), serving);
});

test('a certificate contains its names, its serial number and its dates', () => {
  const { publicKey, privateKey } = newKeyPair();
  const text = issueCertificate({
    serialNumber: Buffer.from('ff01', 'hex'),
    issuer: encodedName('authority'),
    subject: encodedName('Zoë', ['a', 'b']),
    notBefore: new Date('2030-01-02T03:04:05Z'),
    notAfter: new Date('2060-01-02T03:04:05Z'),
    publicKey,
    signingKey: privateKey,
    extensions: [extensions.signsHandshakes()],
  });
  const certificate = new X509Certificate(text);
  assert.deepEqual({ ...(certificate.toLegacyObject().subject as object) }, { CN: 'Zoë', O: ['a', 'b'] });
  assert.equal(certificate.issuer, 'CN=authority');
  assert.equal(certificate.serialNumber, 'FF01');
  assert.equal(certificate.validFrom, 'Jan  2 03:04:05 2030 GMT');
  assert.equal(certificate.validTo, 'Jan  2 03:04:05 2060 GMT');
  assert.ok(certificate.verify(publicKey));
  assert.ok(certificate.checkPrivateKey(createPrivateKey(keyText(privateKey))));
});
