import { parseArgs } from 'node:util';
import { fuzzApiServer } from './fuzz-api-server.js';
import { fuzzWebhooks } from './fuzz-webhooks.js';

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
  if (options.target === 'webhooks') return fuzzReplies(options, onLine);
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`);
  onLine(`seed ${options.seed}, requests ${options.from} to ${options.from + options.requests - 1}`);
  const { defects, answers, slowestCpuMs, slowestMs } = await fuzzApiServer({ ...options, onLine, onProgress });
  onLine(`answers: ${countsOf(answers)}`);
  onLine(`slowest answer: ${slowestMs.toFixed(0)} ms, most CPU time for one answer: ${slowestCpuMs} ms`);
  onLine(`${defects.length} defects`);
  return defects.length === 0 ? 0 : 1;
}

async function fuzzReplies(options: RunOptions, onLine: (line: string) => void): Promise<number> {
  onLine(`seed ${options.seed}, requests ${options.from} to ${options.from + options.requests - 1}`);
  const { defects, answers } = await fuzzWebhooks({ ...options, onLine });
  onLine(`answers: ${countsOf(answers)}`);
  onLine(`${defects.length} defects`);
  return defects.length === 0 ? 0 : 1;
}

function countsOf(answers: ReadonlyMap<number, number>): string {
  const sorted = [...answers].toSorted(([a], [b]) => a - b);
  return sorted.map(([status, count]) => `${status || 'cut'}: ${count}`).join(', ');
}

interface RunOptions {
  readonly target: 'apiserver' | 'webhooks';
  readonly seed: number;
  readonly requests: number;
  readonly from: number;
}

function optionsOf(args: readonly string[]): RunOptions | undefined {
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
    const target = (['apiserver', 'webhooks'] as const).find((each) => each === positionals.join(' '));
    return isValid && target !== undefined ? { target, requests, seed, from } : undefined;
  } catch {
    return undefined;
  }
}
