import type { PackageManager } from './scaffold-options.js';

/** How a package manager is spoken to. */
export interface PackageManagerCommands {
  /** Arguments that install what package.json asks for, and say little. */
  readonly install: readonly string[];
  /** What CI and the image install with: exactly what the lock file says. */
  readonly ci: string;
  /** What stands before the name of a script, and between it and its flags. */
  readonly run: string;
  readonly flags: string;
  readonly test: string;
  /** Runs a program of the project. */
  readonly exec: string;
  readonly lockFile: string;
  /** What package.json says to it alone. @default nothing */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Where package.json replaces dependencies of every package in the tree. */
  readonly overrides: 'overrides' | 'resolutions' | 'pnpm.overrides';
  /** What it leaves in the folder that is not for git. @default nothing */
  readonly ignored?: string;
  /** A file of settings without which it would not do. @default none */
  readonly settings?: { readonly path: string; readonly text: string };
  /** What makes it be there in an image of Node.js. @default it is there */
  readonly setUp?: string;
}

/** The package managers that a project may be made for. */
export const packageManagers: Readonly<Record<PackageManager, PackageManagerCommands>> = {
  npm: {
    install: ['install', '--no-audit', '--no-fund', '--loglevel=error'],
    ci: 'npm ci',
    run: 'npm run',
    flags: ' -- ',
    test: 'npm test',
    exec: 'npx',
    lockFile: 'package-lock.json',
    // It warns at each install when nobody has said whether a package may run its install script; esbuild does without.
    fields: { allowScripts: { esbuild: false } },
    overrides: 'overrides',
  },
  pnpm: {
    install: ['install', '--reporter=append-only'],
    ci: 'pnpm install --frozen-lockfile',
    run: 'pnpm run',
    flags: ' ',
    test: 'pnpm test',
    exec: 'pnpm exec',
    lockFile: 'pnpm-lock.yaml',
    // Version 9 requires the list of packages. Later versions treat an install script that nobody allowed or refused as an error.
    settings: { path: 'pnpm-workspace.yaml', text: 'packages:\n  - .\nallowBuilds:\n  esbuild: false\n' },
    overrides: 'pnpm.overrides',
    setUp: 'npm install --global pnpm',
  },
  yarn: {
    install: ['install'],
    ci: 'yarn install --immutable',
    run: 'yarn run',
    flags: ' ',
    test: 'yarn test',
    exec: 'yarn run',
    lockFile: 'yarn.lock',
    // Without it corepack takes Yarn 1, which knows neither these settings nor the lock file.
    fields: { packageManager: 'yarn@4.18.1' },
    ignored: '.yarn/install-state.gz',
    settings: { path: '.yarnrc.yml', text: 'nodeLinker: node-modules\n' },
    overrides: 'resolutions',
    setUp: 'corepack enable',
  },
  bun: {
    install: ['install'],
    ci: 'bun install --frozen-lockfile',
    run: 'bun run',
    flags: ' ',
    test: 'bun run test',
    exec: 'bun x',
    lockFile: 'bun.lock',
    overrides: 'overrides',
    setUp: 'npm install --global bun',
  },
};

/**
 * The one that runs this program, by what it says of itself in `npm_config_user_agent`; npm where none is known, and in place of
 * Yarn 1.
 */
export function packageManagerOf(env: NodeJS.ProcessEnv): PackageManager {
  const agent = env['npm_config_user_agent'] ?? '';
  const name = agent.split('/')[0] ?? '';
  return isPackageManager(name) && !agent.startsWith('yarn/1.') ? name : 'npm';
}

/** Whether it is the name of one of the package managers. */
export function isPackageManager(name: string): name is PackageManager {
  return Object.hasOwn(packageManagers, name);
}
