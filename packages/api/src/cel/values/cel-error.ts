/** An error in the evaluation of an expression. The error is the result of the expression and is not thrown. */
export class CelError {
  readonly message: string;
  /** Whether the expression calls a function with arguments of unsupported types. */
  readonly isNoOverload: boolean;

  constructor(message: string, isNoOverload = false) {
    this.message = message;
    this.isNoOverload = isNoOverload;
  }
}

/** Returns the error of a call whose arguments have unsupported types. The message contains `call`. */
export function noOverload(call: string): CelError {
  return new CelError(`no such overload: ${call}`, true);
}

/** The error of an operator for operands of unsupported types. */
export const NO_OVERLOAD = new CelError('no such overload', true);

/** Thrown if an evaluation exceeds its cost limit. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}
