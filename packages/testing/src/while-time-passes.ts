import type { Clock } from '@kubewright/api/clock';
import { FakeClock } from './fake-clock.js';

/** For so long of the real time a fake clock is left alone: what needs none of its time may end by itself. */
const STANDSTILL_MS = 50;
/** How far it is moved then. */
const STEP = '1s';

/** What the work comes to. A fake clock, which nobody else moves meanwhile, goes on as long as that takes, slowly. */
export async function whileTimePasses<T>(clock: Clock | undefined, work: Promise<T>): Promise<T> {
  if (!(clock instanceof FakeClock)) return work;
  while (!(await endsSoon(work))) {
    // Whoever else settles at each moment of this clock tells its own trouble.
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
