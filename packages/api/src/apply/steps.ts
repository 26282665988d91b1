/** Work in steps. The caller may do other work between two steps. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Carries out all steps at once, and returns their result. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Returns the function as one in steps, with a break behind its work. */
export function withBreak<A, T>(act: (argument: A) => T): (argument: A) => Steps<T> {
  return function* (argument) {
    const result = act(argument);
    yield;
    return result;
  };
}
