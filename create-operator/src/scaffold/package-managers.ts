import type { PackageManager } from './scaffold-options.js';

/** The commands and files of a package manager. */
export interface PackageManagerCommands {
  /** The arguments that install the dependencies of package.json with little output. */
  readonly install: readonly string[];
  /** The command that CI and the image use: installs exactly the versions in the lock file. */
  readonly ci: string;
  /** `run` precedes the name of a script. `flags` separates the script from its flags. */
  readonly run: string;
  readonly flags: string;
  readonly test: string;
  /** The command that runs a program of the project. */
  readonly exec: string;
  readonly lockFile: string;
  /** Fields of package.json for this package manager only. @default none */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** The field of package.json that overrides dependencies of every package in the tree. */
  readonly overrides: 'overrides' | 'resolutions' | 'pnpm.overrides';
  /** A file of the package manager that git must ignore. @default none */
  readonly ignored?: string;
  /** A settings file that the package manager requires. @default none */
  readonly settings?: { readonly path: string; readonly text: string };
  /** The command that installs the package manager in an image of Node.js. @default the image has the package manager */
  readonly setUp?: string;
}

/** The supported package managers. */
export const packageManagers: Readonly<Record<PackageManager, PackageManagerCommands>> = {
  npm: {
    install: ['install', '--no-audit', '--no-fund', '--loglevel=error'],
    ci: 'npm ci',
    run: 'npm run',
    flags: ' -- ',
    test: 'npm test',
    exec: 'npx',
    lockFile: 'package-lock.json',
    // Without this field npm warns at each installation about the install script of esbuild, which is not needed.
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
    // Version 9 requires the list of packages. Later versions fail if an install script is neither allowed nor refused.
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
    // Without this field Corepack runs Yarn 1, which supports neither these settings nor the lock file.
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
 * Returns the package manager that runs this program, according to `npm_config_user_agent`. Returns npm if the package manager is unknown
 * or is Yarn 1.
 */
export function packageManagerOf(env: NodeJS.ProcessEnv): PackageManager {
  const agent = env['npm_config_user_agent'] ?? '';
  const name = agent.split('/')[0] ?? '';
  return isPackageManager(name) && !agent.startsWith('yarn/1.') ? name : 'npm';
}

/** Reports whether a text is the name of a supported package manager. */
export function isPackageManager(name: string): name is PackageManager {
  return Object.hasOwn(packageManagers, name);
}
