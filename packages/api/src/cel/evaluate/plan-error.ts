/** Thrown when a checked expression cannot be made ready, such as for a constant that cannot be converted. */
export class PlanError extends Error {}
