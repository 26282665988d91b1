import { parseArgs } from 'node:util';
import { runHistories } from './run-histories.js';

/** Runs the command with these arguments and returns its exit code. */
export async function cacheGuarantee(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      histories: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
    },
  });
  const first = Number(values.seed);
  const count = Number(values.histories);
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1) {
    console.error(
      '--histories and --seed must be whole numbers, for example: npm run cache-guarantee -- --histories 200 --seed 1',
    );
    return 2;
  }
  const start = performance.now();
  const seeds = Array.from({ length: count }, (_, at) => first + at);
  const reports = await runHistories(seeds, (report) => {
    if (report.violations.length > 0) console.log(JSON.stringify(report, undefined, 1));
  });
  const failed = reports.filter(({ violations }) => violations.length > 0).map(({ seed }) => seed);
  const reads = reports.reduce((sum, report) => sum + report.reads, 0);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`checked ${reads} reads of ${count} histories in ${seconds} s`);
  if (failed.length > 0) console.log(`failing seeds: ${failed.toSorted((a, b) => a - b).join(' ')}`);
  console.log(`${count - failed.length} passed, ${failed.length} failed`);
  return failed.length > 0 ? 1 : 0;
}
