import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ManagedCertificatesOptions, resolveCertificatesOptions } from './managed-certificates-options.js';

const resolve = (options: Partial<ManagedCertificatesOptions>) =>
  resolveCertificatesOptions({ name: 'shop', namespace: 'shop-system', injectInto: () => ({}), ...options });

test('all names and lifetimes have defaults', () => {
  assert.deepEqual(resolve({}), {
    operator: 'shop',
    secret: 'shop-webhook-certificates',
    service: { name: 'shop-webhook', namespace: 'shop-system' },
    hosts: [
      'shop-webhook.shop-system.svc',
      'shop-webhook.shop-system.svc.cluster.local',
      'shop-webhook.shop-system',
      'shop-webhook',
    ],
    lifetimeMs: 90 * 86_400_000,
    authorityLifetimeMs: 730 * 86_400_000,
    distributionMs: 300_000,
  });
  assert.equal(resolve({ secret: 'mine' }).secret, 'mine');
});

test('rejects invalid names, and lifetimes with which certificates could expire during a rotation', () => {
  const cases: readonly (readonly [Partial<ManagedCertificatesOptions>, RegExp])[] = [
    [{ lifetime: '9s', distribution: '0s' }, /webhooks\.certificates\.lifetime is '9s': use at least 10s/],
    [
      { lifetime: '30d', authorityLifetime: '89d' },
      /authorityLifetime is '89d': use at least three times the lifetime/,
    ],
    [{ lifetime: '1h', distribution: '6m' }, /distribution is '6m': use at most a twelfth of the lifetime of 1h/],
    [{ namespace: '' }, /namespace is '': use the namespace of the operator/],
  ];
  for (const [options, message] of cases) {
    assert.throws(() => resolve(options), { code: 'INVALID_SERVING_OPTIONS', message });
  }
  assert.throws(() => resolve({ name: 'Shop' }), { code: 'INVALID_NAME' });
  assert.throws(() => resolve({ lifetime: 'long' as '1d' }), { code: 'INVALID_DURATION' });
});
