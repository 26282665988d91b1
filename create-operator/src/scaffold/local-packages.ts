import { packageManagers } from './package-managers.js';
import type { ScaffoldOptions } from './scaffold-options.js';

/** The folder of a project that contains the Kubewright packages as tarballs. */
export const PACKAGES_FOLDER = 'vendor';

type Options = Pick<ScaffoldOptions, 'packageManager' | 'tarballs'>;

/** Returns the version of a Kubewright package for package.json: its tarball if there is one, otherwise the range of published versions. */
export function dependencyOn(name: string, { tarballs }: Options, published: string): string {
  const path = tarballs?.[name];
  return path === undefined ? published : `file:${path}`;
}

/**
 * Returns the fields of package.json that make the Kubewright packages also use each other's tarballs. Each package depends on exact
 * versions of the other Kubewright packages, which a package manager would otherwise look up in the registry. Returns no fields if there
 * are no tarballs.
 */
export function overrideFields(options: Options): Readonly<Record<string, unknown>> {
  const { packageManager = 'npm', tarballs } = options;
  if (tarballs === undefined) return {};
  const { overrides } = packageManagers[packageManager];
  const specs = overridesOf(tarballs);
  return overrides === 'pnpm.overrides' ? { pnpm: { overrides: specs } } : { [overrides]: specs };
}

/**
 * Returns the overrides as text for the settings file of pnpm, because pnpm 10 and later ignores the overrides in package.json. Returns ''
 * for other package managers, and if there are no tarballs.
 */
export function overrideSettings({ packageManager = 'npm', tarballs }: Options): string {
  if (tarballs === undefined || packageManager !== 'pnpm') return '';
  const lines = Object.entries(overridesOf(tarballs)).map(([name, spec]) => `  '${name}': ${spec}\n`);
  return `overrides:\n${lines.join('')}`;
}

function overridesOf(tarballs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tarballs).map(([name, path]) => [name, `file:${path}`]));
}
