/** Thrown for code that has no translation to CEL. Such code is not an error: the validator is not a candidate for rules. */
export class NotTranslatable extends Error {
  constructor(what: string) {
    super(`${what} has no translation to CEL`);
  }
}
