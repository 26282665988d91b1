import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countValues } from '@kubewright/api/json';
import fc from 'fast-check';
import { isTooDeep } from './json-depth.js';
import { scanJson } from './json-scan.js';

const most = 1_000_000;
const scan = (text: string) => scanJson(Buffer.from(text), most);
const nested = (levels: number, core: string): string => '['.repeat(levels) + core + ']'.repeat(levels);

test('counts as many values in a JSON text as in the parsed value', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(3), (text, indent) => {
      const value: unknown = JSON.parse(text);
      assert.equal(scan(JSON.stringify(value, undefined, indent)).values, countValues(value));
      assert.equal(scan(text).values, countValues(value));
    }),
    { numRuns: 1000 },
  );
});

test('does not count quotes, brackets and commas in strings as values', () => {
  assert.equal(scan('{"a\\"[,":"\\\\","b":"{,\\\\\\""}').values, 3);
});

test('stops the scan when the number of values exceeds the limit', () => {
  assert.equal(scanJson(Buffer.from('[1,2,3,4,5]'), 3).values, 4);
});

test('scans any bytes without an error', () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: fc.constantFrom(...'{}[]",:01.eE+-\\u tn'.split('')) }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(bytes, fc.nat(20), (text, limit) => {
      const { values } = scanJson(text, limit);
      assert.ok(values >= 1 && values <= limit + 1);
    }),
    { numRuns: 2000 },
  );
});

test('scanJson and isTooDeep report the same values as too deep', () => {
  for (const levels of [998, 999, 1000, 1001]) {
    for (const core of ['', '1', '{}', '{"a":1}']) {
      const text = nested(levels, core);
      assert.equal(scan(text).isTooDeep, isTooDeep(JSON.parse(text)), `${levels} levels around ${core}`);
    }
  }
});

test('finds the first number that exceeds the range of a double', () => {
  const long = '9'.repeat(400);
  assert.equal(scan('[1e308, -1e400, 1e500]').hugeNumber, '-1e400');
  assert.equal(scan(`{"a":${long}}`).hugeNumber, long);
  assert.equal(scan(`["1e400", 1E-400, ${'9'.repeat(300)}]`).hugeNumber, undefined);
});
