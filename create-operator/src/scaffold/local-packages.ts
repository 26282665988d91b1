import { packageManagers } from './package-managers.js';
import type { ScaffoldOptions } from './scaffold-options.js';

/** The folder of a project that holds our packages as tarballs. */
export const PACKAGES_FOLDER = 'vendor';

type Options = Pick<ScaffoldOptions, 'packageManager' | 'tarballs'>;

/** Returns what package.json requests of one of our packages: its tarball, or else the range of published versions. */
export function dependencyOn(name: string, { tarballs }: Options, published: string): string {
  const path = tarballs?.[name];
  return path === undefined ? published : `file:${path}`;
}

/**
 * Returns the fields of package.json by which our packages take each other from the tarballs too. Each package depends on exact
 * versions of the others, which a package manager would look for in the registry. Returns no field without tarballs.
 */
export function overrideFields(options: Options): Readonly<Record<string, unknown>> {
  const { packageManager = 'npm', tarballs } = options;
  if (tarballs === undefined) return {};
  const { overrides } = packageManagers[packageManager];
  const specs = overridesOf(tarballs);
  return overrides === 'pnpm.overrides' ? { pnpm: { overrides: specs } } : { [overrides]: specs };
}

/** Returns the same for the settings of pnpm, which reads the field of package.json only up to version 9. */
export function overrideSettings({ packageManager = 'npm', tarballs }: Options): string {
  if (tarballs === undefined || packageManager !== 'pnpm') return '';
  const lines = Object.entries(overridesOf(tarballs)).map(([name, spec]) => `  '${name}': ${spec}\n`);
  return `overrides:\n${lines.join('')}`;
}

function overridesOf(tarballs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tarballs).map(([name, path]) => [name, `file:${path}`]));
}
