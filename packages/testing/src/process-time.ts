import { performance } from 'node:perf_hooks';

/**
 * Returns the milliseconds that this process has waited or computed since it started. On an idle machine, this time passes like real time.
 * This time does not pass while the process is ready to run and the machine runs other processes. A limit in this time therefore detects a
 * hang, regardless of the load of the machine.
 */
export function processTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return performance.eventLoopUtilization().idle + (user + system) / 1000;
}
