import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { mostMs } from './most-ms.js';
import type { Cost } from './measured-server.js';

/** Processor time of the calibration on the reference machine in milliseconds. */
const referenceMs = 10;

/** Returns the limit in milliseconds on a machine with the given calibration. On a slower or busy machine, the limit is higher. */
export const limitMs = (calibrationMs: number): number => mostMs * (calibrationMs / referenceMs);

/** Whether every other request waited for at most `mostMs` milliseconds, converted to the speed of the reference machine. */
export function isWithin({ longestMs, calibrationMs }: Cost): boolean {
  return calibrationMs === undefined || longestMs <= limitMs(calibrationMs);
}

/** Asserts that every other request waited for at most `mostMs` milliseconds, converted to the speed of the reference machine. */
export function assertCost(t: TestContext, cost: Cost): void {
  const { longestMs, calibrationMs } = cost;
  const calibration = calibrationMs === undefined ? '' : `, calibration ${calibrationMs.toFixed(1)} ms`;
  t.diagnostic(`longest wait ${longestMs.toFixed(0)} ms${calibration}`);
  assert.ok(
    isWithin(cost),
    `a request waited for ${longestMs} ms; the limit is ${limitMs(calibrationMs ?? referenceMs)} ms`,
  );
}
