/**
 * The Node.js flags of this process that programs of tests also need: the flags with which a process loads the bundle of the packages and
 * optimizes functions later. `fork` passes all flags to its child process, and `spawn` passes none.
 */
export const inheritedFlags = process.execArgv.filter((flag) => /^--(conditions|interrupt-budget)=/.test(flag));
