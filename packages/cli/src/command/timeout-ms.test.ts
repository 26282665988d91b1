import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeoutMs } from './timeout-ms.js';

describe('timeoutMs', () => {
  it('timeoutMs parses durations, and limits long durations to the maximum delay of a timer', () => {
    assert.deepEqual(['90s', '5m', '1.5h', '10000h'].map(timeoutMs), [90_000, 300_000, 5_400_000, 2_147_483_647]);
  });
  it('timeoutMs rejects invalid durations, zero, and negative durations', () => {
    for (const text of ['soon', '', '5', '0s', '-5m']) {
      assert.throws(() => timeoutMs(text), {
        code: 'INVALID_USAGE',
        message: `invalid --timeout ${text}: use a duration such as 90s or 5m`,
      });
    }
  });
});
