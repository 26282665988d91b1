import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countSteps, workTimeMs } from './work-time.js';

test('workTimeMs advances by the same time per call while steps are counted', () => {
  const endCounting = countSteps();
  try {
    const times = Array.from({ length: 1000 }, () => workTimeMs());
    const steps = new Set(times.slice(1).map((time, at) => time - (times[at] ?? 0)));
    assert.equal(steps.size, 1);
    assert.ok([...steps].every((ms) => ms > 0));
  } finally {
    endCounting();
  }
});

test('the counting ends when the last caller has ended the counting', () => {
  const isCounting = (): boolean => {
    const first = workTimeMs();
    // Time on the machine passes between these calls.
    const end = performance.now() + 1;
    while (performance.now() < end);
    return workTimeMs() - first < 1;
  };
  const [endFirst, endSecond] = [countSteps(), countSteps()];
  endFirst();
  endFirst();
  assert.ok(isCounting());
  endSecond();
  assert.ok(!isCounting());
});
