import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Outcome } from './run-schedule.js';
import { scenarios } from './scenario.js';

/** What a process that runs schedules is told. */
export interface Share {
  readonly seeds: readonly number[];
  readonly examples: readonly string[];
}

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
  const shares = Array.from({ length: processes }, (_, at) => seeds.filter((each) => each % processes === at));
  const failures = await Promise.all(shares.map((share) => runShare({ seeds: share, examples })));
  const failed = failures.reduce((sum, each) => sum + each, 0);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  process.stdout.write(`${schedules - failed} passed, ${failed} failed, in ${seconds} s\n`);
  return failed === 0 ? 0 : 1;
}

/** Gives how many of a share failed; those that its process did not come to count as failed. */
async function runShare(share: Share): Promise<number> {
  const child = fork(fileURLToPath(new URL('./chaos-process.js', import.meta.url)));
  let passed = 0;
  child.on('message', (outcome: Outcome) => {
    if (outcome.unmet.length === 0) passed++;
    process.stdout.write(described(outcome));
  });
  child.send(share);
  await once(child, 'exit');
  return share.seeds.length - passed;
}

function described({ seed, scenario, unmet, injected, deaths }: Outcome): string {
  const faults = `${injected.length} faults, ${deaths} deaths`;
  if (unmet.length === 0) return `seed ${seed} ${scenario}: converged (${faults})\n`;
  const detail = [...unmet, ...injected].map((line) => `  ${line}\n`).join('');
  return `seed ${seed} ${scenario}: FAILED (${faults})\n${detail}`;
}
