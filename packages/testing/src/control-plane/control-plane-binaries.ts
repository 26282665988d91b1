import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';

/** The programs of a control plane. The API server requires etcd; the other programs are optional. */
export type ComponentName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'
  | 'kwok-stages'
  | 'kubectl';

const REQUIRED = ['etcd', 'kube-apiserver'] as const;
const VERSION = /^v?\d+\.\d+(\.\d+)?$/;

/** The requested version of the programs, and the environment variables that can name the folder of the programs. */
export interface SelectedBinaries {
  /** A version or a series in the cache folder. Ignored if a variable names the folder of the programs. @default the newest */
  readonly version?: string | undefined;
  /** @default the environment of the process */
  readonly environment?: NodeJS.ProcessEnv;
}

/** A folder with the programs of a control plane of one version. */
export class ControlPlaneBinaries {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Finds the programs of a control plane. Searches the folder in KUBEWRIGHT_CONTROL_PLANE or, as envtest does, in KUBEBUILDER_ASSETS.
   * If neither variable is set, searches Kubewright's cache folder for the newest version with kube-apiserver and etcd, limited to the
   * requested version or series. Returns undefined if no folder contains both programs. Throws INVALID_VERSION if the version is not
   * valid.
   */
  static find({ version, environment = process.env }: SelectedBinaries = {}): ControlPlaneBinaries | undefined {
    if (version !== undefined && !VERSION.test(version)) {
      throw new KubewrightError(
        'INVALID_VERSION',
        `cannot select a control plane: '${version}' is not a valid version; use a version such as '1.36.3', or a series such as '1.36'`,
      );
    }
    const variable = folderVariable(environment);
    const folders = variable === undefined ? cachedVersions(environment).filter(isOf(version)) : [variable.folder];
    return folders
      .map((folder) => new ControlPlaneBinaries(folder))
      .find((binaries) => missingIn(binaries.folder).length === 0);
  }

  /**
   * Returns the programs as `find` does. Throws NO_CONTROL_PLANE if kube-apiserver or etcd is missing, and INVALID_VERSION if the version
   * is not valid.
   */
  static get({ version, environment = process.env }: SelectedBinaries = {}): ControlPlaneBinaries {
    const found = ControlPlaneBinaries.find({ version, environment });
    if (found !== undefined) return found;
    const why = whyNotFound(environment, version);
    // KUBEBUILDER_ASSETS has no effect while KUBEWRIGHT_CONTROL_PLANE is set.
    const unset = environment['KUBEWRIGHT_CONTROL_PLANE'] ? 'unset it and set ' : '';
    const remedy =
      'set KUBEWRIGHT_CONTROL_PLANE to a folder with etcd and kube-apiserver, ' +
      `or ${unset}KUBEBUILDER_ASSETS as printed by \`setup-envtest use -p env\``;
    throw new KubewrightError('NO_CONTROL_PLANE', `cannot start a control plane: ${why}; ${remedy}`);
  }

  has(name: ComponentName): boolean {
    return existsSync(this.path(name));
  }

  path(name: ComponentName): string {
    return join(this.folder, name);
  }
}

/** Returns the environment variable that names the folder of the programs, with the folder. */
function folderVariable(
  environment: NodeJS.ProcessEnv,
): { readonly name: string; readonly folder: string } | undefined {
  const { KUBEWRIGHT_CONTROL_PLANE: own, KUBEBUILDER_ASSETS: envtest } = environment;
  if (own) return { name: 'KUBEWRIGHT_CONTROL_PLANE', folder: own };
  return envtest ? { name: 'KUBEBUILDER_ASSETS', folder: envtest } : undefined;
}

/** Returns the required programs that a folder does not contain. */
function missingIn(folder: string): readonly string[] {
  return REQUIRED.filter((name) => !existsSync(join(folder, name)));
}

/** Returns the reason why there are no programs: the missing programs of a folder, or the versions in the cache. */
function whyNotFound(environment: NodeJS.ProcessEnv, version: string | undefined): string {
  const variable = folderVariable(environment);
  if (variable !== undefined) {
    return `${variable.folder}, the folder in ${variable.name}, does not contain ${missingIn(variable.folder).join(' and ')}`;
  }
  const cached = cachedVersions(environment);
  const complete = cached.filter((folder) => missingIn(folder).length === 0).map((folder) => basename(folder));
  const partial = cached.filter(isOf(version)).find((folder) => missingIn(folder).length < REQUIRED.length);
  if (partial !== undefined) return `${partial} does not contain ${missingIn(partial).join(' and ')}`;
  if (version === undefined) return 'found no programs';
  return `found no programs of version ${version}${complete.length === 0 ? '' : `, only of ${complete.join(', ')}`}`;
}

/** Returns the folder for built control planes, with one subfolder per version. */
export function controlPlaneCache(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'kubewright', 'control-plane');
}

function cachedVersions(environment: NodeJS.ProcessEnv): readonly string[] {
  const cache = controlPlaneCache(environment);
  if (!existsSync(cache)) return [];
  const names = readdirSync(cache).filter((name) => /^v\d/.test(name));
  return names.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })).map((name) => join(cache, name));
}

/**
 * Returns a function that checks whether a folder of the cache belongs to the version or the series. Without a version, the function
 * accepts every folder.
 */
function isOf(version: string | undefined): (folder: string) => boolean {
  const requested = version?.replace(/^v?/, 'v');
  return (folder) =>
    requested === undefined || basename(folder) === requested || basename(folder).startsWith(`${requested}.`);
}
