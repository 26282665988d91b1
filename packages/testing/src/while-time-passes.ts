import type { Clock } from '@kubewright/api/clock';
import { endsSoon } from './ends-soon.js';
import { FakeClock } from './fake-clock.js';

/** The step of the fake clock. */
const STEP = '1s';

/** Returns the result of the work. Advances a fake clock step by step until the work ends. */
export async function whileTimePasses<T>(clock: Clock | undefined, work: Promise<T>): Promise<T> {
  if (!(clock instanceof FakeClock)) return work;
  while (!(await endsSoon(work))) {
    // Ignores errors of other environments with this clock, because each environment reports its own errors.
    await clock.advance(STEP).catch(() => undefined);
  }
  return work;
}
