import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Duration, durationMs } from './duration.js';

test('durationMs returns milliseconds for each unit', () => {
  const durations = ['250ms', '30s', '1.5m', '2h', '1d'] as const;
  assert.deepEqual(durations.map(durationMs), [250, 30_000, 90_000, 7_200_000, 86_400_000]);
});

test('durationMs throws INVALID_DURATION for any value except a number with a unit', () => {
  const invalid: readonly unknown[] = [
    '',
    '30',
    's',
    '-1s',
    '1 s',
    '1s ',
    '1h30m',
    '1w',
    30,
    null,
    undefined,
    ['30s'],
    {},
  ];
  for (const duration of invalid) {
    assert.throws(() => durationMs(duration as Duration), { code: 'INVALID_DURATION' }, String(duration));
  }
});
