/** Thrown if a checked expression cannot be compiled, for example for a constant that cannot be converted. */
export class PlanError extends Error {}
