import assert from 'node:assert/strict';
import { test } from 'node:test';
import { der, integer, objectId, time } from './der.js';

test('encodes values in DER', () => {
  const hex = (value: Buffer): string => value.toString('hex');
  assert.equal(hex(integer(Buffer.from([2]))), '020102');
  assert.equal(hex(objectId('1.2.840.10045.4.3.2')), '06082a8648ce3d040302');
  assert.equal(hex(objectId('2.5.29.17')), '0603551d11');
  assert.equal(hex(der(0x04, Buffer.alloc(127))).slice(0, 4), '047f');
  assert.equal(hex(der(0x04, Buffer.alloc(128))).slice(0, 6), '048180');
  assert.equal(hex(der(0x04, Buffer.alloc(256))).slice(0, 8), '04820100');
  assert.equal(time(new Date('2049-12-31T23:59:59.9Z')).toString('latin1', 2), '491231235959Z');
  assert.equal(time(new Date('2050-01-01T00:00:00Z')).toString('latin1', 2), '20500101000000Z');
  assert.deepEqual(
    [time(new Date('2049-12-31T00:00:00Z'))[0], time(new Date('2050-01-01T00:00:00Z'))[0]],
    [0x17, 0x18],
  );
});

test('encodes integers with the fewest bytes, and with a first bit that is not set', () => {
  const encoded = (...bytes: readonly number[]): string => integer(Buffer.from(bytes)).toString('hex');
  assert.equal(encoded(0x7f), '02017f');
  assert.equal(encoded(0x80), '02020080');
  assert.equal(encoded(0x00, 0x80), '02020080');
  assert.equal(encoded(0x00, 0x00, 0x12, 0x00), '02021200');
  assert.equal(encoded(0x00), '020100');
  assert.equal(encoded(), '020100');
});
