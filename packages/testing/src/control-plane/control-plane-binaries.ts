import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';

/** The programs of a control plane. The API server needs etcd; the others are started where they are there. */
export type ComponentName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kwok'
  | 'kwok-stages'
  | 'kubectl';

/** A folder with the programs of a control plane of one version. */
export class ControlPlaneBinaries {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * The programs in the folder that KUBEWRIGHT_CONTROL_PLANE or, as envtest has it, KUBEBUILDER_ASSETS names; without both,
   * the newest of Kubewright's cache folder. Undefined when there are none.
   */
  static find(environment: NodeJS.ProcessEnv = process.env): ControlPlaneBinaries | undefined {
    const { KUBEWRIGHT_CONTROL_PLANE: own, KUBEBUILDER_ASSETS: envtest } = environment;
    const folders = own ? [own] : envtest ? [envtest] : cachedVersions(environment);
    const found = folders
      .map((folder) => new ControlPlaneBinaries(folder))
      .find((binaries) => binaries.has('kube-apiserver'));
    return found?.has('etcd') === true ? found : undefined;
  }

  /** The same, where there have to be some. Throws NO_CONTROL_PLANE. */
  static get(environment: NodeJS.ProcessEnv = process.env): ControlPlaneBinaries {
    const found = ControlPlaneBinaries.find(environment);
    if (found !== undefined) return found;
    throw new KubewrightError(
      'NO_CONTROL_PLANE',
      "start a test environment on the server 'control-plane': there are no programs of one; set KUBEWRIGHT_CONTROL_PLANE, or KUBEBUILDER_ASSETS as `setup-envtest use -p env` prints it, to a folder with etcd and kube-apiserver",
    );
  }

  has(name: ComponentName): boolean {
    return existsSync(this.path(name));
  }

  path(name: ComponentName): string {
    return join(this.folder, name);
  }
}

/** The folder in which built control planes are kept, one folder a version. */
export function controlPlaneCache(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'kubewright', 'control-plane');
}

function cachedVersions(environment: NodeJS.ProcessEnv): readonly string[] {
  const cache = controlPlaneCache(environment);
  if (!existsSync(cache)) return [];
  const names = readdirSync(cache).filter((name) => /^v\d/.test(name));
  return names.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })).map((name) => join(cache, name));
}
