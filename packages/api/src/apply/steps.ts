/**
 * Starts or awaits work of another thread that the next step needs.
 * @param isAbandoned returns true if the caller does not need the result of the steps any more. The promise may then reject without doing
 * the work
 */
export type Wait = (isAbandoned?: () => boolean) => Promise<void>;

/**
 * Work that is divided into steps. The caller can do other work between two steps. If a step yields a wait, the caller waits before the
 * next step.
 */
export type Steps<T> = Generator<Wait | undefined, T, undefined>;

/**
 * Runs all steps without a break and returns their result. Ignores yielded waits, so the steps must not depend on work of another thread.
 */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Returns a function that calls `act` in one step, and yields before it returns the result. */
export function withBreak<A, T>(act: (argument: A) => T): (argument: A) => Steps<T> {
  return function* (argument) {
    const result = act(argument);
    yield;
    return result;
  };
}
