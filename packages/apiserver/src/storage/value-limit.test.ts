import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkValues, checkWrittenValues, mostValues, valueBudget } from './value-limit.js';

const refusal = {
  status: 413,
  reason: 'RequestEntityTooLarge',
  message: /^Request entity too large: limit is 65536 values$/,
};
const list = (values: number): object => Array.from({ length: values - 1 }, () => 1);

test('accepts values up to the limit, and rejects one value more', () => {
  checkValues(list(mostValues));
  assert.throws(() => checkValues(list(mostValues + 1)), refusal);
});

test('the limit for a client reserves space for the values that the server adds', () => {
  const written = (metadata: object, values: number) => ({
    metadata,
    data: list(values - 2 - Object.keys(metadata).length),
  });
  for (const [metadata, most] of [
    [{}, mostValues - 17],
    [{ resourceVersion: '1' }, mostValues - 16],
    [{ resourceVersion: '1', deletionTimestamp: '' }, mostValues],
  ] as const) {
    checkWrittenValues(written(metadata, most));
    assert.throws(() => checkWrittenValues(written(metadata, most + 1)), refusal);
  }
});

test('a budget counts the values of all calls', () => {
  const spend = valueBudget();
  spend(list(mostValues - 10));
  spend(list(10));
  assert.throws(() => spend(1), refusal);
});
