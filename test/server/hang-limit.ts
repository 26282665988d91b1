/** The time limit of a wait for a state, in milliseconds of real time. Only a hang reaches the limit, even on a machine that is 10 times slower. */
export const HANG_LIMIT_MS = 300_000;
