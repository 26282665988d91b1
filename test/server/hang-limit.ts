/** The time limit of a wait for a state, in milliseconds of real time. Only a hang exceeds the limit. A slow machine does not. */
export const HANG_LIMIT_MS = 300_000;
