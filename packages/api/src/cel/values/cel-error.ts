/** An error in the evaluation of an expression. A value that is not thrown. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The error of an operator for operands of unsupported types. */
export const NO_OVERLOAD = new CelError('no such overload');

/** Thrown if an evaluation exceeds its cost limit. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}
