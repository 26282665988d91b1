import type { FakeClock } from '../../fake-clock.js';
import type { TestEnvironment } from '../../test-environment.js';

/** The number of turns of the event loop within which an operator usually starts or stops. */
const END_TURNS = 200;

/** Returns the result of the work. Advances the clock only while the work does not end without a clock advance, in steps of 1 s. */
export async function endOfWork<T>(
  work: Promise<T>,
  { env, clock }: { readonly env: TestEnvironment; readonly clock: FakeClock },
): Promise<T> {
  const state = { isOver: false };
  const over = (): void => void (state.isOver = true);
  work.then(over, over);
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < END_TURNS && !state.isOver; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  await turns();
  while (!state.isOver) {
    // The work reports its own error. Other errors of the environment are reported when the world converges.
    await Promise.race([work, env.settled()]).catch(() => undefined);
    await turns();
    if (!state.isOver) await clock.advance('1s').catch(() => undefined);
  }
  return work;
}
