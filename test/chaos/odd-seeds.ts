/** Seeds at which the process for tests goes wrong, by how. */
export const ODD_SEEDS = { silent: 1, blocked: 2, ended: 3 } as const;
