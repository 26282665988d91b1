import { parseArgs } from 'node:util';
import { fuzzApiServer } from './fuzz-api-server.js';

/**
 * Runs the fuzzer with the arguments of the command line. Returns the exit code: 0 without defects, 1 with defects, 2 for invalid
 * arguments.
 */
export async function fuzz(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (options === undefined) {
    process.stderr.write('unknown arguments; npm run fuzz -- --help lists the options\n');
    return 2;
  }
  const onLine = (line: string): void => void process.stdout.write(`${line}\n`);
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`);
  onLine(`seed ${options.seed}, requests ${options.from} to ${options.from + options.requests - 1}`);
  const { defects, answers, slowestCpuMs, slowestMs } = await fuzzApiServer({ ...options, onLine, onProgress });
  const counts = [...answers].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status || 'cut'}: ${count}`);
  onLine(`answers: ${counts.join(', ')}`);
  onLine(`slowest answer: ${slowestMs.toFixed(0)} ms, most CPU time for one answer: ${slowestCpuMs} ms`);
  onLine(`${defects.length} defects`);
  return defects.length === 0 ? 0 : 1;
}

function optionsOf(
  args: readonly string[],
): { readonly seed: number; readonly requests: number; readonly from: number } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        requests: { type: 'string', default: '20000' },
        seed: { type: 'string', default: '1' },
        from: { type: 'string', default: '0' },
      },
    });
    const [requests, seed, from] = [Number(values.requests), Number(values.seed), Number(values.from)];
    const isValid = [requests, seed, from].every(Number.isInteger) && requests > 0 && from >= 0;
    return isValid && positionals.join(' ') === 'apiserver' ? { requests, seed, from } : undefined;
  } catch {
    return undefined;
  }
}
