import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Cost } from './measured-server.js';

/**
 * Processor time that the calibration of `measured-process` takes on the reference machine, in milliseconds. On a slower or busy machine,
 * the limits scale with the measured calibration.
 */
const referenceMs = 10;

/** Whether every other request waited for at most `mostMs` milliseconds of the reference machine. */
export function isWithin({ longestMs, calibrationMs }: Cost, mostMs: number): boolean {
  return longestMs <= mostMs * (calibrationMs / referenceMs);
}

/** Asserts that every other request waited for at most `mostMs` milliseconds of the reference machine. */
export function assertCost(t: TestContext, cost: Cost, mostMs: number): void {
  const { longestMs, calibrationMs } = cost;
  t.diagnostic(`longest wait ${longestMs.toFixed(0)} ms, calibration ${calibrationMs.toFixed(1)} ms`);
  const most = mostMs * (calibrationMs / referenceMs);
  assert.ok(isWithin(cost, mostMs), `a request waited for ${longestMs} ms; the limit is ${most} ms`);
}
