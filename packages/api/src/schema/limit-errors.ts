import { append } from '../objects/append.js';

/** The largest number of errors that one response lists. */
const mostErrors = 1000;
/** The number of characters after which a response does not list further errors. */
const mostCharacters = 1024 * 1024;

/** The errors that a response lists. */
export interface LimitedErrors<T> {
  readonly listed: readonly T[];
  /** States that there are more errors. Undefined if the response lists all errors. */
  readonly more?: string;
  /** Each listed error as a string, followed by `more`. */
  readonly texts: readonly string[];
}

/**
 * Returns the first errors, for a check that can find more errors than a response lists. If a response lists all errors, returns all
 * errors. Otherwise, returns at least one error more than the response lists, so that `limitErrors` can report that there are more. With
 * `textOf`, also applies the limit for the text.
 */
export function firstErrors<T>(errors: Iterable<T>, textOf: (error: T) => string = () => ''): readonly T[] {
  const first: T[] = [];
  let characters = 0;
  for (const error of errors) {
    first.push(error);
    if (first.length > mostErrors || characters > mostCharacters) break;
    characters += textOf(error).length;
  }
  return first;
}

/**
 * Returns the errors of all items of a list, in order. After the items have more errors than a response lists, the function skips the other
 * items. If there are errors, the caller must reject the object. The caller must not remove some of the errors, and must not rely on a call
 * of `errorsOf` for each item.
 * @example
 * errorsOfEach(ports, (port, index) => portErrors(port, `spec.ports[${index}]`));
 */
export function errorsOfEach<I, E>(items: Iterable<I>, errorsOf: (item: I, index: number) => readonly E[]): E[] {
  const errors: E[] = [];
  let index = 0;
  for (const item of items) {
    append(errors, errorsOf(item, index++));
    if (errors.length > mostErrors) break;
  }
  return errors;
}

/**
 * Limits the errors of one response to the first 1000, and to about 1 MiB of text. The first error is always listed. Reads at most one
 * error more than it returns, so an iterator does not have to produce the other errors.
 */
export function limitErrors<T>(errors: Iterable<T>, textOf: (error: T) => string): LimitedErrors<T> {
  const listed: T[] = [];
  const texts: string[] = [];
  let characters = 0;
  for (const error of errors) {
    if (listed.length === mostErrors || characters > mostCharacters) {
      const more = 'Too many: correct the listed errors to see the others';
      return { listed, more, texts: [...texts, more] };
    }
    const text = textOf(error);
    listed.push(error);
    texts.push(text);
    characters += text.length;
  }
  return { listed, texts };
}
