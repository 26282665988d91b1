import { parseArgs } from 'node:util';
import { runSchedule } from './run-schedule.js';
import { scenarios } from './scenario.js';

/** Runs both examples under `--schedules N` schedules from `--seed S` on; the exit code is 0 when all went well. */
export async function chaos(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { schedules: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
  });
  const [schedules, seed] = [Number(values.schedules), Number(values.seed)];
  if (!Number.isInteger(schedules) || schedules < 1 || !Number.isInteger(seed)) {
    process.stderr.write('say how many schedules and from which seed: npm run chaos -- --schedules 100 --seed 1\n');
    return 1;
  }
  let failed = 0;
  for (let each = seed; each < seed + schedules; each++) {
    for (const scenario of scenarios) {
      const outcome = await runSchedule(scenario, each);
      const faults = `${outcome.injected.length} faults, ${outcome.deaths} deaths`;
      if (outcome.unmet.length === 0) process.stdout.write(`seed ${each} ${scenario.name}: converged (${faults})\n`);
      else {
        failed++;
        const detail = [...outcome.unmet, ...outcome.injected].map((line) => `  ${line}\n`).join('');
        process.stdout.write(`seed ${each} ${scenario.name}: FAILED (${faults})\n${detail}`);
      }
    }
  }
  process.stdout.write(`${schedules * scenarios.length - failed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}
