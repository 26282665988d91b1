/**
 * The usual processor time of each part of the gate in seconds, by command. Includes user and system time of all child processes. Measured
 * without results from earlier runs, on 2 cores with Node.js 20; only the proportions matter. Parts that are not listed are too short to be
 * checked.
 */
export const USUAL_SECONDS = {
  'node scripts/fresh-environment.mjs npm test': 400,
  'node scripts/fresh-environment.mjs npm run test:all': 1150,
  'npm test -- --skipped': 175,
  'npm run test:control-plane': 900,
  'npm run test:scaffold': 220,
  'npm run check': 100,
};
/** The maximum processor time of a part, as a multiple of its usual share. */
const MOST = 2;
/** The minimum share of the tests of a part that must have run. Below this share, the part is not checked. */
const LEAST_RUN = 0.1;

/**
 * Divides the processor time of each part by its usual time. Divides each quotient by the median quotient of all parts, so that a slow or
 * busy machine does not cause a failure. `text` contains one line for each part: the elapsed seconds, the user time and the system time in
 * the format of `times` in bash, and the command. `taken` contains, by command, the share of the usual processor time of tests that did not
 * run because their results are from an earlier run. Returns a line for each part, the longest part first, and a line for each part that
 * exceeds its share.
 */
export function partTimes(text, { usualSeconds = USUAL_SECONDS, taken = {} } = {}) {
  const parts = text
    .trim()
    .split('\n')
    .map((line) => {
      const [, wall, user, system, command] = /^(\d+) (\S+) (\S+) (.*)$/.exec(line) ?? [];
      const cpu = secondsOf(user) + secondsOf(system);
      const run = 1 - (taken[command] ?? 0);
      return {
        wall: Number(wall),
        cpu,
        command,
        run,
        quotient: run < LEAST_RUN ? NaN : cpu / (usualSeconds[command] * run),
      };
    })
    .toSorted((a, b) => b.wall - a.wall);
  const known = parts.map(({ quotient }) => quotient).filter((quotient) => Number.isFinite(quotient));
  const speed = known.toSorted((a, b) => a - b)[Math.floor((known.length - 1) / 2)] ?? 1;
  const lines = parts.map(({ wall, cpu, command, run, quotient }) => {
    const share = Number.isFinite(quotient) ? `${(quotient / speed).toFixed(2)} × its share` : '';
    const earlier = run < 1 ? ` (${((1 - run) * 100).toFixed(0)} % from earlier runs)` : '';
    return `${String(wall).padStart(5)} s  ${cpu.toFixed(0).padStart(5)} s of CPU  ${share.padEnd(17)}  ${command}${earlier}`;
  });
  const exceeded = parts
    .filter(({ quotient }) => quotient > MOST * speed)
    .map(
      ({ command, quotient }) =>
        `${command} takes ${(quotient / speed).toFixed(1)} times its usual share of the processor time: find the cause, or measure USUAL_SECONDS in scripts/part-times.mjs again`,
    );
  return { lines, exceeded };
}

/** Converts a time such as 3m12.345s to seconds. */
function secondsOf(text) {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
