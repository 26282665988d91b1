/** Work that is divided into steps. The caller may do other work between two steps. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps without a break, and returns their result. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Returns a function that does the same work in steps, with a break after the work. */
export function withBreak<A, T>(act: (argument: A) => T): (argument: A) => Steps<T> {
  return function* (argument) {
    const result = act(argument);
    yield;
    return result;
  };
}
