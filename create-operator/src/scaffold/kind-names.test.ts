import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kebabCase, variableOf } from './kind-names.js';

test('a kind is split into its words', () => {
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

test('an object of a kind has a name that the language allows and the templates do not use', () => {
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
