import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Steps } from '../apply/steps.js';
import { goJson, goJsonSteps, goQuote, goQuoteSteps } from './go-text.js';

/** Returns the result of steps, and the number of steps. */
function counted<T>(steps: Steps<T>): { readonly result: T; readonly count: number } {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done === true) return { result: value, count };
  }
}

test('goQuote quotes texts like Go', () => {
  assert.equal(goQuote('plain'), '"plain"');
  assert.equal(goQuote('a"b\\c\n\u0001\u00a0é😀\u{e0001}'), '"a\\"b\\\\c\\n\\x01\\u00a0é😀\\U000e0001"');
});

test('goQuoteSteps quotes a long text in steps and does not split a character', () => {
  const texts = ['', 'short "text"', `${'"'.repeat(65_535)}😀${'a'.repeat(100_000)}`, '\u{e0001}'.repeat(100_000)];
  for (const text of texts) assert.equal(counted(goQuoteSteps(text)).result, goQuote(text));
  assert.ok(counted(goQuoteSteps('a'.repeat(200_000))).count > 3);
});

test('goJson writes JSON like Go', () => {
  const value = { b: [1, 2n, 'x<y', null, undefined], a: { '<': undefined, '&': true }, c: '\ud800' };
  assert.equal(goJson(value), '{"a":{"\\u0026":true},"b":[1,2,"x\\u003cy",null,null],"c":"\\ud800"}');
});

test('goJsonSteps writes the JSON of many values and of long texts in steps', () => {
  const nested = Array.from({ length: 100 }, (_, at) => ({ at, items: Array.from({ length: 50 }, () => 'a') }));
  assert.ok(counted(goJsonSteps(nested)).count > 5);
  const long = { text: `${'<'.repeat(65_535)}😀` };
  assert.deepEqual(JSON.parse(counted(goJsonSteps(long)).result), long);
  assert.ok(counted(goJsonSteps(long)).count > 1);
});
