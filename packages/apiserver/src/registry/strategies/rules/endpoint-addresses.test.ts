import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointAddressErrors } from './endpoint-addresses.js';

/** Addresses of each range as in Go's package net, and addresses that look similar. */
const ranges: Readonly<Record<string, readonly string[]>> = {
  unspecified: ['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0'],
  'loopback range': ['127.0.0.1', '127.255.0.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'],
  'link-local range': ['169.254.0.1', 'fe80::1', 'FE8f::1', 'feb0::', 'febf:ffff::1'],
  'link-local multicast range': ['224.0.0.251', 'ff02::1', 'ff12::1', 'FF32::fb'],
};
const reachable = [
  '10.1.2.3',
  '128.0.0.1',
  '169.253.0.1',
  '224.0.1.1',
  'fe8::1',
  'fec0::1',
  'fe7f::1',
  'ff05::1',
  '::2',
  '2001:db8::1',
];

test('an address that other nodes cannot reach has the error of its range', () => {
  for (const [range, addresses] of Object.entries(ranges)) {
    for (const address of addresses) {
      const errors = endpointAddressErrors(address, 'ip');
      assert.equal(errors.length, 1, address);
      assert.ok(errors[0]?.message.includes(range), `${address}: ${errors[0]?.message}`);
    }
  }
});

test('an address that other nodes can reach has no error', () => {
  for (const address of reachable) assert.deepEqual(endpointAddressErrors(address, 'ip'), [], address);
});
