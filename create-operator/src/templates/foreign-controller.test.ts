import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignControllerTestFile } from './foreign-controller-test-file.js';
import { literal } from './literal.js';

const options = { kind: 'Certificate', module: '../x.js', namespaced: true, domain: 'example.com' };

test('a test has an object where one is known that a server takes', () => {
  const known = foreignControllerTestFile({ ...options, builtIn: false, sample: { spec: { secretName: "it's" } } });
  assert.match(known, /spec: \{ secretName: 'it\\'s' \},?\n?\}\);/);
  assert.match(known, /start\(\{ kinds: \[Certificate\], objects: \[sample\] \}\)/);
  const unknown = foreignControllerTestFile({ ...options, builtIn: false });
  assert.match(unknown, /start\(\{ kinds: \[Certificate\] \}\)/);
  assert.match(foreignControllerTestFile({ ...options, kind: 'Lease', builtIn: true }), /start\(\);/);
});

test('a value is written as the language has it', () => {
  const value = { a: 'say "it\'s"\n', 'b-c': [1, true, null, {}], d: [] };
  assert.equal(literal(value), `{ a: 'say "it\\'s"\\n', 'b-c': [1, true, null, {}], d: [] }`);
  const long = literal({ list: [{ text: 'x'.repeat(60) }, { text: 'y'.repeat(60) }] });
  assert.equal(long, `{\n  list: [\n    { text: '${'x'.repeat(60)}' },\n    { text: '${'y'.repeat(60)}' },\n  ],\n}`);
});
