import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { bundleFields, injectionTargets, targetName } from './injection-target.js';

const SERVICE = { name: 'shop-webhook', namespace: 'shop' };
const metadata = { name: 'a' };
const object = (fields: object): KubeObject => ({ apiVersion: 'v1', kind: 'A', metadata, ...fields }) as KubeObject;

test('finds the CA bundle of each webhook that refers to the Service', () => {
  const webhooks = [
    { clientConfig: { service: { ...SERVICE, path: '/a' }, caBundle: 'old' } },
    { clientConfig: { service: { ...SERVICE, namespace: 'other' } } },
    { clientConfig: { url: 'https://127.0.0.1/a' } },
    { clientConfig: { service: SERVICE } },
    {},
    null,
  ];
  assert.deepEqual(bundleFields(object({ webhooks }), SERVICE), [
    { path: '/webhooks/0/clientConfig/caBundle', value: 'old' },
    { path: '/webhooks/3/clientConfig/caBundle', value: '' },
  ]);
});

test('finds the CA bundle of a conversion webhook', () => {
  const conversion = { strategy: 'Webhook', webhook: { clientConfig: { service: SERVICE, caBundle: 'old' } } };
  assert.deepEqual(bundleFields(object({ spec: { conversion } }), SERVICE), [
    { path: '/spec/conversion/webhook/clientConfig/caBundle', value: 'old' },
  ]);
  assert.deepEqual(bundleFields(object({ spec: { conversion: { strategy: 'None' } } }), SERVICE), []);
  assert.deepEqual(bundleFields(object({}), SERVICE), []);
});

test('returns targets only for the configurations and definitions that the operator has', () => {
  assert.deepEqual(injectionTargets({}), []);
  const targets = injectionTargets({
    validatingConfiguration: 'shop-validating-webhook-configuration',
    customResourceDefinitions: ['carts.shop.example.com'],
  });
  assert.deepEqual(targets.map(targetName), [
    'ValidatingWebhookConfiguration shop-validating-webhook-configuration',
    'CustomResourceDefinition carts.shop.example.com',
  ]);
});
