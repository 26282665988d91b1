/** The time limit of a wait for a state, in milliseconds of real time. A slow machine does not reach the limit; only a hang does. */
export const HANG_LIMIT_MS = 300_000;
