/** Thrown if an expression passes the type check but cannot be compiled, for example because a constant cannot be converted. */
export class PlanError extends Error {}
