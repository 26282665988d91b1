import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { PodAddresses } from './pod-addresses.js';

const pod = (uid: string, podIP: string, spec: object = {}): ApiObject =>
  ({ metadata: { name: uid, uid }, spec, status: { podIP } }) as unknown as ApiObject;

test('PodAddresses assigns only free addresses, and reuses the address of a deleted Pod after all other addresses', () => {
  const addresses = new PodAddresses();
  addresses.observe(pod('stored', '10.244.0.3'), false);
  addresses.observe(pod('host', '10.244.0.4', { hostNetwork: true }), false);
  assert.deepEqual(
    ['a', 'b', 'c'].map((uid) => addresses.assign(uid)),
    ['10.244.0.2', '10.244.0.4', '10.244.0.5'],
  );
  assert.equal(addresses.assign('a'), '10.244.0.2');
  addresses.observe(pod('stored', '10.244.0.3'), true);
  for (let at = 0; at < 254 * 256 - 4; at += 1) addresses.assign(`p${at}`);
  assert.equal(addresses.assign('next'), '10.244.0.3');
  assert.throws(() => addresses.assign('last'), /every address of the Pod network/);
});

test('PodAddresses releases the previous address of a Pod whose status gets another address', () => {
  const addresses = new PodAddresses();
  addresses.observe(pod('a', '10.244.0.2'), false);
  addresses.observe(pod('a', '10.244.0.3'), false);
  assert.equal(addresses.assign('b'), '10.244.0.2');
  assert.equal(addresses.assign('c'), '10.244.0.4');
});
