import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The parsed command line. */
export interface ExampleArguments {
  readonly name: string;
  /** The only program to run, for an example that has programs instead of controllers. */
  readonly program: string | undefined;
  readonly once: boolean;
  readonly port: number;
}

export const examplesFolder = new URL('../../../examples/', import.meta.url);

/** Reads `NAME [PROGRAM] [--once] [--port N]`; throws an error whose message shows the correct usage. */
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
