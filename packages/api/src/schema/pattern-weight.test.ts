import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { compileGoPattern, MOST_PATTERN_WEIGHT } from './go-pattern.js';
import { patternWeight } from './pattern-weight.js';

const pieces = [
  'a',
  'é',
  '.',
  '^',
  '$',
  '\\d',
  '\\pL',
  '\\PN',
  '\\p{Greek}',
  '\\x{41}',
  '\\\\',
  '\\{',
  '\\Q(a{9}\\E',
  '[a-z]',
  '[^]a{30}]',
  '[[:alpha:]x]',
  '[\\pL\\]{9}]',
  '|',
  '*',
  '+',
  '?',
  '*?',
  '{0}',
  '{3}',
  '{2,}',
  '{1,9}',
  '{30}',
  '{030}',
  '{,5}',
  '(',
  ')',
  '(?:',
  '(?i)',
  '(?i:',
  '(?P<n>',
  '(a{30}){30}',
  '(?s-i)',
];

test('the number of instructions of a pattern is at most twice its weight plus 8', () => {
  let compiled = 0;
  const patterns = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(patterns, (parts) => {
      const pattern = parts.join('');
      let size: number;
      try {
        size = RE2JS.compile(pattern).programSize();
      } catch {
        return;
      }
      compiled++;
      assert.ok(
        size <= 2 * patternWeight(pattern) + 8,
        `${pattern}: ${size} instructions, weight ${patternWeight(pattern)}`,
      );
    }),
    {
      numRuns: 20_000,
      examples: [[['^', '*?', '(?s-i)', '{1,9}']], [['a', '+', '(?i)', '{30}', '(?i)', '*', '(?i)', '{3}']]],
    },
  );
  assert.ok(compiled > 1000, `only ${compiled} patterns compile`);
});

test('a pattern is too large if its expanded text is longer than the limit', () => {
  const tooLarge = { error: 'error parsing regexp: expression too large' };
  assert.equal(compileGoPattern('a'.repeat(MOST_PATTERN_WEIGHT)).error, undefined);
  assert.equal(compileGoPattern('(?:abcd){500}(?:[a-z]{0,30}){30}').error, undefined);
  for (const pattern of [
    'a'.repeat(MOST_PATTERN_WEIGHT + 1),
    '(?:abcdefghijk){1000}',
    '\\pL'.repeat(300),
    '(a)b{1000}'.repeat(11),
  ]) {
    assert.deepEqual(compileGoPattern(pattern), tooLarge);
  }
});

test('compileGoPattern reports an invalid repeat count if Go rejects a repetition', () => {
  assert.match(compileGoPattern('(a{1000}){1000}').error ?? '', /invalid repeat count/);
  assert.match(compileGoPattern('a{1001}').error ?? '', /invalid repeat count/);
});

test('compileGoPattern caches the latest patterns and recompiles older patterns', () => {
  const large = (at: number): string => `${at}${'a'.repeat(9000)}`;
  const first = compileGoPattern(large(0)).compiled;
  assert.equal(compileGoPattern(large(0)).compiled, first);
  for (let at = 1; at < 10; at++) compileGoPattern(large(at));
  const again = compileGoPattern(large(0)).compiled;
  assert.notEqual(again, first);
  assert.equal(again?.test(large(0)), true);
});
