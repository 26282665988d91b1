import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressErrors, familyOf, isStrictlyWithin, looseRangeErrors, rangeErrors } from './addresses.js';

const messages = (errors: readonly { readonly message: string }[]): readonly string[] =>
  errors.map(({ message }) => message);

test('requires the canonical form of an address', () => {
  assert.deepEqual(addressErrors('192.0.2.1', 'a'), []);
  assert.deepEqual(addressErrors('fd00::1', 'a'), []);
  assert.deepEqual(messages(addressErrors('FD00:0::1', 'a')), [
    'Invalid value: "FD00:0::1": must be in canonical form ("fd00::1")',
  ]);
  assert.deepEqual(messages(addressErrors('192.0.02.1', 'a')), [
    'Invalid value: "192.0.02.1": must not have leading 0s',
  ]);
  assert.deepEqual(messages(addressErrors('::ffff:192.0.2.1', 'a')), [
    'Invalid value: "::ffff:192.0.2.1": must not be an IPv4-mapped IPv6 address',
  ]);
});

test('rejects text with colons that is not an address, and addresses and ranges with a zone', () => {
  for (const text of ['0000-00-00T00:00:00Z', 'a:b', 'fe80::1%eth0']) {
    assert.match(messages(addressErrors(text, 'a'))[0] ?? '', /must be a valid IP address/);
    assert.match(messages(rangeErrors(`${text}/64`, 'a'))[0] ?? '', /must be a valid CIDR value/);
  }
  assert.equal(familyOf('fe80::1%eth0'), undefined);
});

test('rejects a range with bits beyond its prefix length', () => {
  assert.deepEqual(rangeErrors('192.0.2.0/24', 'a'), []);
  assert.deepEqual(rangeErrors('fd00:1::/32', 'a'), []);
  assert.deepEqual(messages(looseRangeErrors('192.0.2.1/24', 'a')), [
    'Invalid value: "192.0.2.1/24": must not have bits set beyond the prefix length',
  ]);
  assert.match(messages(looseRangeErrors('192.0.2.0/33', 'a'))[0] ?? '', /must be a valid CIDR value/);
});

test('isStrictlyWithin requires a smaller range of the same family', () => {
  assert.equal(isStrictlyWithin('10.1.0.0/16', '10.0.0.0/8'), true);
  assert.equal(isStrictlyWithin('10.0.0.0/8', '10.0.0.0/8'), false);
  assert.equal(isStrictlyWithin('fd00::/16', '10.0.0.0/8'), false);
  assert.deepEqual([familyOf('10.0.0.0/8'), familyOf('fd00::1'), familyOf('x')], ['ipv4', 'ipv6', undefined]);
});
