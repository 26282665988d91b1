import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goDuration, verboseDuration } from './duration-text.js';
import { textFormat } from './text-formats.js';

const LONG = 100_000;

test('goDuration parses durations like Go', () => {
  const cases: readonly (readonly [string, bigint])[] = [
    ['0', 0n],
    ['-0', 0n],
    ['1h2m3.5s', 3_723_500_000_000n],
    ['-1.5s', -1_500_000_000n],
    ['.5m', 30_000_000_000n],
    ['1.s', 1_000_000_000n],
    ['1µs2μs', 3000n],
    ['0.100000000000000000000h', 360_000_000_000n],
    ['0.3333333333333333333h', 1_200_000_000_000n],
    ['9223372036854775807ns', 9_223_372_036_854_775_807n],
    ['-9223372036854775808ns', -9_223_372_036_854_775_808n],
    ['2562047h47m16.854775807s', 9_223_372_036_854_775_807n],
    [`${'0'.repeat(LONG)}1s`, 1_000_000_000n],
    [`0.${'1'.repeat(LONG)}s`, 111_111_111n],
    ['1s'.repeat(LONG), 100_000_000_000_000n],
    ['999h'.repeat(2000), 7_192_800_000_000_000_000n],
  ];
  for (const [text, nanos] of cases) assert.equal(goDuration(text), nanos, text.slice(0, 40));
});

test('goDuration rejects texts that are not durations, and durations of more than 64 bits', () => {
  const texts = [
    '',
    '-',
    '1',
    '+-1s',
    '.s',
    's',
    '1x',
    '1ms1',
    '1sm',
    '1 s',
    '9223372036854775808ns',
    '-9223372036854775809ns',
  ];
  for (const text of [...texts, '2562048h', '999h'.repeat(3000), '1'.repeat(LONG), `${'1'.repeat(LONG)}s`]) {
    assert.equal(goDuration(text), undefined, text.slice(0, 40));
  }
});

test('verboseDuration parses numbers with units as words and rejects numbers of more than 64 bits', () => {
  assert.equal(verboseDuration('3 days and 2Hours'), 266_400_000_000_000n);
  assert.equal(verboseDuration('3 nsx'), undefined);
  for (const digits of ['9223372036854775808', '1'.repeat(LONG)]) {
    assert.equal(verboseDuration(`${digits} days`), undefined);
    assert.equal(textFormat('duration')?.(`${digits} days`), false);
  }
});
