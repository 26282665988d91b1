import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Result } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { Certificate } from '../external/trust.example.org/v1/certificate.js';
import { CertificateController } from './certificate-controller.js';

const sample = new Certificate({
  metadata: { name: 'certificate-sample', namespace: 'default' },
  spec: { dnsNames: ['example'], issuer: { name: 'example' }, secretName: 'example' },
});

test('a Certificate is reconciled', async () => {
  await using env = await TestEnvironment.start({ kinds: [Certificate], objects: [sample] });
  const { result, error } = await env.reconcile(new CertificateController(), sample);
  assert.deepEqual([result, error], [Result.done(), undefined]);
});
