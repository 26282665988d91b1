import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from '../../storage/store.js';
import { serviceEndpoint } from './service-endpoint.js';

const namespace = 'n';
const service = { namespace, name: 's' };
const portName = 'hooks';

function storeWith(spec: object = {}): Store {
  const store = new Store();
  const ports = [
    { name: 'other', port: 80 },
    { name: portName, port: 443 },
  ];
  const metadata = { name: 's', namespace, uid: 'u' };
  store.create('/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { type: 'ClusterIP', ports, ...spec },
  });
  return store;
}

function addSlice(store: Store, name: string, fields: object): void {
  const labels = { 'kubernetes.io/service-name': 's' };
  store.create('discovery.k8s.io/endpointslices', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, uid: name, labels },
    addressType: 'IPv4',
    ports: [{ name: portName, port: 9443 }],
    ...fields,
  });
}

const hosts = (store: Store): readonly string[] =>
  [0, 0.4, 0.8, 0.999].map((value) => serviceEndpoint(store, service, () => value).host);

test('selects one of the ready endpoints of all EndpointSlices', () => {
  const store = storeWith();
  const endpoints = [
    { addresses: ['10.0.0.1', '10.0.0.9'] },
    { addresses: ['10.0.0.2'], conditions: { ready: false } },
  ];
  addSlice(store, 'a', { endpoints });
  addSlice(store, 'b', { endpoints: [{ addresses: ['10.0.0.3'], conditions: { ready: true } }] });
  addSlice(store, 'c', { endpoints: [{ addresses: ['10.0.0.4'] }], ports: [{ name: 'other', port: 1 }] });
  assert.deepEqual(hosts(store), ['10.0.0.1', '10.0.0.1', '10.0.0.3', '10.0.0.3']);
  assert.equal(serviceEndpoint(store, service).port, 9443);
});

test('prefers the primary IP family of the Service', () => {
  const store = storeWith({ ipFamilies: ['IPv6', 'IPv4'] });
  addSlice(store, 'a', { endpoints: [{ addresses: ['10.0.0.1'] }] });
  assert.deepEqual(new Set(hosts(store)), new Set(['10.0.0.1']));
  addSlice(store, 'b', { addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] });
  assert.deepEqual(new Set(hosts(store)), new Set(['fd00::1']));
});

test('uses the Endpoints of a Service without EndpointSlices', () => {
  const store = storeWith();
  const metadata = { name: 's', namespace, uid: 'e' };
  const ports = [{ name: portName, port: 8443 }];
  const subsets = [{ addresses: [{ ip: '10.0.0.5' }], notReadyAddresses: [{ ip: '10.0.0.6' }], ports }];
  store.create('/endpoints', { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets });
  assert.deepEqual(serviceEndpoint(store, service), { host: '10.0.0.5', port: 8443 });
  addSlice(store, 'a', { endpoints: [] });
  assert.throws(() => serviceEndpoint(store, service), { message: 'no endpoints available for service "s"' });
});

test('reports a missing Service and a missing port with the texts of kube-apiserver, and returns an external name', () => {
  const store = storeWith();
  assert.throws(() => serviceEndpoint(store, { namespace, name: 'x' }), { message: 'service "x" not found' });
  const message = 'no service port 8443 found for service "s"';
  assert.throws(() => serviceEndpoint(store, { ...service, port: 8443 }), { message });
  const external = storeWith({ type: 'ExternalName', externalName: 'hooks.example.com' });
  assert.deepEqual(serviceEndpoint(external, service), { host: 'hooks.example.com', port: 443 });
});
