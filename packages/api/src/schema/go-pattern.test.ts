import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileGoPattern } from './go-pattern.js';
import { validate } from './validate.js';

const cases: readonly (readonly [string, string, boolean])[] = [
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'a-b', true],
  ['(?i)^abc$', 'ABC', true],
  ['(?U)^a+$', 'aa', true],
  ['^a(?i:b)$', 'aB', true],
  ['^a.c$', 'a\nc', false],
  ['(?s)^a.c$', 'a\nc', true],
  ['^[[:alpha:]]+$', 'abc', true],
  ['^[[:digit:]_]+$', '1_2', true],
  ['^\\-\\_\\@\\"$', '-_@"', true],
  ['^(?P<year>\\d{4})$', '2024', true],
  ['^\\s$', '\u00a0', false],
  ['\\Aab\\z', 'ab', true],
  ['^\\p{Greek}$', 'λ', true],
  ['^\\pL$', 'λ', true],
  ['^[]a]$', ']', true],
  ['^{}$', '{}', true],
  ['^a{2}$', 'aa', true],
  ['^\\x{1F600}$', '\u{1F600}', true],
  ['^.$', '\u{1F600}', true],
  ['^[\\w.-]+$', 'a.b-c', true],
  ['^[a[]$', '[', true],
];
for (const [pattern, text, expected] of cases) {
  test(`the Go pattern ${pattern} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
    assert.equal(compileGoPattern(pattern).compiled?.test(text), expected);
  });
}

test('compileGoPattern returns the error of a pattern that Go does not compile', () => {
  for (const pattern of ['(?=a)', '(?<!a)b', '(a)\\1', '(', '[', 'a**']) {
    assert.match(compileGoPattern(pattern).error ?? '', /^error parsing regexp: /, pattern);
  }
});

// With a backtracking engine, this test does not terminate.
test('validate matches a text against nested repetitions in linear time', () => {
  const [error] = validate(`${'a'.repeat(10_000)}b`, { type: 'string', pattern: '^(a+)+$' });
  assert.match(error?.message ?? '', /should match '\^\(a\+\)\+\$'$/);
});
