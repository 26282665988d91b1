import { parseArgs } from 'node:util';
import { fuzzApiServer } from './fuzz-api-server.js';

const help = `Usage: npm run fuzz -- apiserver [options]

Sends mutated requests of the contract to the embedded API server in a process of its own. A run fails if the process exits, if an answer has
status 500 and a kube-apiserver does not answer the same, or if an answer takes more than one second of processor time.

Options:
  --requests N   the number of requests (20000)
  --seed S       the seed of the mutations (1); the same seed gives the same requests
  --from N       the first request (0), to repeat a defect; the state of the server begins at multiples of 5000
  --help         print this text
`;

/** Runs the fuzzer with the arguments of the command line. Returns the exit code: 0 without defects, 1 with defects, 2 for wrong arguments. */
export async function fuzz(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (options === 'help') {
    process.stdout.write(help);
    return 0;
  }
  if (options === undefined) {
    process.stderr.write(help);
    return 2;
  }
  const onLine = (line: string): void => void process.stdout.write(`${line}\n`);
  onLine(`seed ${options.seed}, requests ${options.from} to ${options.from + options.requests - 1}`);
  const { defects, answers, slowestCpuMs, slowestMs } = await fuzzApiServer({ ...options, onLine });
  const counts = [...answers].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status || 'cut'}: ${count}`);
  onLine(`answers: ${counts.join(', ')}`);
  onLine(`slowest answer: ${slowestMs.toFixed(0)} ms, most processor time for one answer: ${slowestCpuMs} ms`);
  onLine(`${defects.length} defects`);
  return defects.length === 0 ? 0 : 1;
}

function optionsOf(
  args: readonly string[],
): { readonly seed: number; readonly requests: number; readonly from: number } | 'help' | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        requests: { type: 'string', default: '20000' },
        seed: { type: 'string', default: '1' },
        from: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    const [requests, seed, from] = [Number(values.requests), Number(values.seed), Number(values.from)];
    const isValid = [requests, seed, from].every(Number.isInteger) && requests > 0 && from >= 0;
    return isValid && positionals.join(' ') === 'apiserver' ? { requests, seed, from } : undefined;
  } catch {
    return undefined;
  }
}
