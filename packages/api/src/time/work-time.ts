/**
 * The time that one step takes, in milliseconds, while steps are counted. The value is so small that the steps of work whose result the
 * process caches, such as compiled schemas, do not end a slice. Otherwise, the first run in a process would differ from later runs. Sums of
 * this binary fraction have no rounding errors.
 */
const STEP_MS = 1 / 16_384;

/** The number of callers of `countSteps` that have not ended the counting. */
let counting = 0;
let countedMs = 0;

/**
 * Returns a time in milliseconds with which a thread divides long work into slices. Call this function once per step of work. Returns the
 * time of the machine, or a time that advances by a fixed amount per call while `countSteps` is in effect.
 */
export function workTimeMs(): number {
  if (counting === 0) return performance.now();
  countedMs += STEP_MS;
  return countedMs;
}

/**
 * Makes `workTimeMs` count steps in this thread, so that the load of the machine does not change the order of work. Returns a function that
 * ends the counting. If several callers count, the counting ends when the last of them ends it.
 */
export function countSteps(): () => void {
  if (counting === 0) countedMs = Math.ceil(performance.now());
  counting += 1;
  let isOver = false;
  return () => {
    if (!isOver) counting -= 1;
    isOver = true;
  };
}
