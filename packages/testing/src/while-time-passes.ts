import type { Clock } from '@kubewright/api/clock';
import { FakeClock } from './fake-clock.js';

/** The real time between two steps of a fake clock, in milliseconds. Work that does not depend on the clock can end in this time. */
const STANDSTILL_MS = 50;
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

async function endsSoon(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), STANDSTILL_MS);
  });
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}
