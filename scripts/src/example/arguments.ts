import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The parsed command line of `npm run example`. */
export interface ExampleArguments {
  readonly name: string;
  /** The program to run; undefined to run the operator or all programs of the example. */
  readonly program: string | undefined;
  readonly once: boolean;
  readonly port: number;
}

export const examplesFolder = new URL('../../../examples/', import.meta.url);

/** Parses `NAME [PROGRAM] [--once] [--port N]`. Throws an error with the correct usage for invalid arguments. */
export function parseExampleArguments(args: readonly string[]): ExampleArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { once: { type: 'boolean', default: false }, port: { type: 'string', default: '0' } },
  });
  const known = readdirSync(examplesFolder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  const [name, program] = positionals;
  if (name === undefined || positionals.length > 2 || !known.includes(name)) {
    throw new Error(
      `the example is missing or unknown; use npm run example -- NAME [PROGRAM] [--once] [--port N], where NAME is ${known.join(' or ')}`,
    );
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`--port ${values.port} is not a valid port; use a number from 1 to 65535, or 0 for a free port`);
  }
  return { name, program, once: values.once, port };
}
