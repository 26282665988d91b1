import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rulesOf } from '@kubewright/api/rbac';
import { certificatePermissions } from './certificate-permissions.js';
import { webhookHosts, webhookNames } from './webhook-names.js';

test('derives all names of webhook objects from the base name', () => {
  assert.deepEqual(webhookNames('shop-operator'), {
    service: 'shop-operator-webhook',
    secret: 'shop-operator-webhook-certificates',
    mutatingConfiguration: 'shop-operator-mutating-webhook-configuration',
    validatingConfiguration: 'shop-operator-validating-webhook-configuration',
  });
  assert.equal(webhookNames('a'.repeat(55)).service.length, 63);
});

for (const base of ['', 'Shop', '1shop', 'shop.example', '-shop', 'a'.repeat(56)]) {
  test(`rejects the base name '${base}' of webhooks with the rule for valid names`, () => {
    assert.throws(() => webhookNames(base), { code: 'INVALID_NAME', message: /use at most 55 lower-case letters/ });
  });
}

test('the certificate names begin with the name that the API server verifies', () => {
  assert.deepEqual(webhookHosts('shop-webhook', 'shop'), [
    'shop-webhook.shop.svc',
    'shop-webhook.shop.svc.cluster.local',
    'shop-webhook.shop',
    'shop-webhook',
  ]);
});

test('limits the permissions of managed certificates by name, except for the creation of Secrets', () => {
  const { cluster, own, namespaced } = certificatePermissions({
    ...webhookNames('shop'),
    mutatingConfiguration: undefined,
    customResourceDefinitions: ['carts.shop.example.com', 'orders.shop.example.com'],
  });
  assert.deepEqual(namespaced, []);
  assert.deepEqual(rulesOf(own), [
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: ['shop-webhook-certificates'],
      verbs: ['get', 'update', 'watch'],
    },
  ]);
  assert.deepEqual(rulesOf(cluster), [
    {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: ['validatingwebhookconfigurations'],
      resourceNames: ['shop-validating-webhook-configuration'],
      verbs: ['get', 'patch', 'watch'],
    },
    {
      apiGroups: ['apiextensions.k8s.io'],
      resources: ['customresourcedefinitions'],
      resourceNames: ['carts.shop.example.com', 'orders.shop.example.com'],
      verbs: ['get', 'patch', 'watch'],
    },
  ]);
});
