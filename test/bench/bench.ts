import { benchApiServer } from './apiserver.js';
import { isMet, type Measurement, table } from './measurement.js';
import { benchRuntime } from './runtime.js';
import { benchWebhooks } from './webhooks.js';

const benches: Readonly<Record<string, (args: readonly string[]) => Promise<readonly Measurement[]>>> = {
  apiserver: benchApiServer,
  runtime: benchRuntime,
  webhooks: benchWebhooks,
};

/**
 * Runs the benchmark with the given name and prints JSON and a table.
 * Returns the exit code: 1 if a goal is not met, and 2 for an unknown name.
 */
export async function bench([name = '', ...args]: readonly string[]): Promise<number> {
  const run = benches[name];
  if (run === undefined) {
    process.stderr.write(`npm run bench -- NAME, where NAME is one of ${Object.keys(benches).join(', ')}\n`);
    return 2;
  }
  const measurements = await run(args);
  process.stdout.write(`${JSON.stringify(measurements, null, 2)}\n\n${table(measurements)}\n`);
  return isMet(measurements) ? 0 : 1;
}
