import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Figures } from '../operator/work.js';

/** The time after which a program is stopped. The longest measurement takes about six minutes. */
const LIMIT_MS = 20 * 60_000;

/** A program and its arguments. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Runs a program, and returns the figures that it prints. Throws an error if the program fails or prints no figures. The program does not
 * inherit `NODE_EXTRA_CA_CERTS`, because Node.js reads these certificates at each start, and the programs trust only the load server.
 */
export async function figuresOf({ file, args }: Command): Promise<Figures> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  // The other lines are log lines.
  const line = output.split('\n').findLast((each) => each.startsWith('{"figures":'));
  if (code !== 0 || line === undefined) {
    throw new Error(`${file} ended with ${code ?? signal}: ${(errors || output).trim().slice(-2000)}`);
  }
  return (JSON.parse(line) as { readonly figures: Figures }).figures;
}
