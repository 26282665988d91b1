import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Outcome } from './run-schedule.js';
import { scenarios } from './scenarios.js';
import { ScheduleProcess } from './schedule-process.js';

/**
 * Runs `--schedules N` schedules from `--seed S` on, the examples in turn or one `--example`; the exit code is 0 when all went
 * well. One process more than there are cores shares the work: each waits at times for what is late.
 */
export async function chaos(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      schedules: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      example: { type: 'string' },
    },
  });
  const [schedules, seed] = [Number(values.schedules), Number(values.seed)];
  const names = scenarios.map(({ name }) => name);
  const examples = values.example === undefined ? names : names.filter((name) => name === values.example);
  if (!Number.isInteger(schedules) || schedules < 1 || !Number.isInteger(seed) || examples.length === 0) {
    process.stderr.write(
      `say how many schedules, from which seed, and of which example (${names.join(', ')}): npm run chaos -- --schedules 100 --seed 1 --example ${names[0]}\n`,
    );
    return 1;
  }
  const seeds = Array.from({ length: schedules }, (_, at) => seed + at);
  const processes = Math.min(availableParallelism() + 1, schedules);
  const startMs = performance.now();
  const failures = await Promise.all(Array.from({ length: processes }, () => runSome(seeds, examples)));
  const failed = failures.flat().toSorted((a, b) => a - b);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  process.stdout.write(`${schedules - failed.length} passed, ${failed.length} failed, in ${seconds} s\n`);
  if (failed.length > 0) process.stdout.write(`failed: ${failed.join(', ')}\n`);
  return failed.length === 0 ? 0 : 1;
}

/** Takes seeds until there are no more, and gives those that failed. */
async function runSome(seeds: number[], examples: readonly string[]): Promise<readonly number[]> {
  const failed: number[] = [];
  await using worker = new ScheduleProcess();
  for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
    const outcome = await worker.run({ seed, examples });
    if (outcome.unmet.length > 0) failed.push(seed);
    process.stdout.write(described(outcome));
  }
  return failed;
}

function described({ seed, scenario, unmet, injected, deaths }: Outcome): string {
  const faults = `${injected.length} faults, ${deaths} deaths`;
  if (unmet.length === 0) return `seed ${seed} ${scenario}: converged (${faults})\n`;
  const detail = [...unmet, ...injected].map((line) => `  ${line}\n`).join('');
  return `seed ${seed} ${scenario}: FAILED (${faults})\n${detail}`;
}
