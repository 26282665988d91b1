import { readFileSync } from 'node:fs';

/** The version of this command, which is that of all packages that it goes with. */
export function cliVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
