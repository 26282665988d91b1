/** What went wrong while an expression was evaluated. A value, not thrown. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The error of an operator whose operands do not go together. */
export const NO_OVERLOAD = new CelError('no such overload');

/** Thrown when an evaluation costs more than it may. */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}
