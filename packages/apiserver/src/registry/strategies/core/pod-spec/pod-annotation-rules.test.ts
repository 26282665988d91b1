import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podAnnotationErrors } from './pod-annotation-rules.js';

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const isAccepted = (cost: string): boolean =>
  podAnnotationErrors({ annotations: { [deletionCost]: cost } }, {}, 'metadata.annotations').length === 0;

test('accepts 32-bit deletion costs, including negative numbers with leading zeros', () => {
  for (const cost of ['0', '7', '2147483647', '-1', '-2147483648', '-0', '-01', '-00000000000000000001']) {
    assert.ok(isAccepted(cost), cost);
  }
});

test('rejects deletion costs beyond 32 bits, with a plus sign, with leading zeros or with other characters', () => {
  for (const cost of [
    '2147483648',
    '-2147483649',
    '99999999999',
    '+1',
    '01',
    '00',
    '',
    '-',
    '--1',
    '1.0',
    '1e3',
    ' 1',
  ]) {
    assert.ok(!isAccepted(cost), cost);
  }
});
