import { readFileSync } from 'node:fs';

const calibrationText = JSON.stringify(
  Array.from({ length: 20_000 }, (_, at) => ({ name: `name-${at}`, value: 'v'.repeat(100), at })),
);

/**
 * Returns the processor time of the main thread in milliseconds. Excludes other processes and the threads of the garbage collector. On
 * systems without `/proc`, returns the processor time of all threads of this process.
 */
export function mainThreadMs(): number {
  try {
    const [ns = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(ns) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** Returns the processor time of a fixed amount of work in milliseconds. This time shows the current speed of the machine. */
export function calibrationMs(): number {
  const runs = Array.from({ length: 5 }, () => {
    const startMs = mainThreadMs();
    JSON.stringify(JSON.parse(calibrationText));
    return mainThreadMs() - startMs;
  });
  return Math.min(...runs);
}
