/** Seeds at which the test process fails, by type of failure. */
export const FAILING_SEEDS = { silent: 1, blocked: 2, ended: 3 } as const;
