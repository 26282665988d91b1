import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kebabCase, variableOf } from './kind-names.js';

test('kebabCase splits a kind into its words', () => {
  const kinds = ['Website', 'VirtualMachine', 'DNSZone', 'HTTPRoute', 'MyDNS', 'X509Certificate', 'V2Ray'];
  assert.deepEqual(kinds.map(kebabCase), [
    'website',
    'virtual-machine',
    'dns-zone',
    'http-route',
    'my-dns',
    'x509-certificate',
    'v2-ray',
  ]);
});

test('variableOf returns an identifier that is not reserved and that the templates do not use', () => {
  const kinds = ['Website', 'VirtualMachine', 'DNSZone', 'Class', 'Status', 'Package'];
  assert.deepEqual(kinds.map(variableOf), [
    'website',
    'virtualMachine',
    'dnsZone',
    'theClass',
    'theStatus',
    'thePackage',
  ]);
});
