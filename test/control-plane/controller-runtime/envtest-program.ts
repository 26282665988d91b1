import { parseArgs } from 'node:util';

/** How often a program checks whether its parent process still runs, in milliseconds. */
const CHECK_MS = 500;

/**
 * Returns the values of the flags of a program that envtest starts. Throws an error if a flag is missing, and ignores other flags. envtest
 * also starts the programs with `--help` to find out which flags they support. With `--help`, prints the flags and returns 'help'.
 */
export function envtestFlags<const Name extends string>(
  names: readonly Name[],
): Readonly<Record<Name, string>> | 'help' {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: process.argv.slice(2), strict: false, options });
  if (values['help'] === true) {
    process.stdout.write(names.map((name) => `      --${name} string\n`).join(''));
    return 'help';
  }
  const missing = names.filter((name) => typeof values[name] !== 'string');
  if (missing.length > 0) throw new Error(`missing flags: ${missing.map((name) => `--${name}`).join(', ')}`);
  return values as Readonly<Record<Name, string>>;
}

/** Calls `stop` once, after SIGINT, after SIGTERM, or after the parent process has ended. */
export function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  const checks = setInterval(() => {
    if (process.ppid !== parent) end();
  }, CHECK_MS);
  const end = (): void => {
    clearInterval(checks);
    process.off('SIGINT', end).off('SIGTERM', end);
    stop();
  };
  process.on('SIGINT', end).on('SIGTERM', end);
}
