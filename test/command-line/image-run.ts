import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { imageCommand, imageOf } from 'create-operator';
import type { ClusterProject } from './cluster-projects.js';
import { RunningCommand } from './running-command.js';

/** The namespace of the Lease. An operator in a Pod uses the namespace of the Pod, but these programs do not run in a Pod. */
const NAMESPACE = 'default';
/** Long limits, because an operator on a slow machine may renew its Lease or stop much later than in production. */
const LONG_LIMITS = {
  KUBEWRIGHT_LEADER_ELECTION_DURATION: '600s',
  KUBEWRIGHT_LEADER_ELECTION_RENEW_DEADLINE: '500s',
  KUBEWRIGHT_GRACE_PERIOD: '500s',
};

/** A read-only folder with the files of a project's image, and a kubeconfig instead of a service account. */
export class ImageFolder implements AsyncDisposable {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }
  /** Copies the files of a built project. */
  static async of({ project, variables }: ClusterProject): Promise<ImageFolder> {
    const folder = new ImageFolder(await mkdtemp(join(tmpdir(), 'kubewright-image-')));
    const files = Object.entries(imageOf().files).map(([from, to]) => [join(project.root, from), to] as const);
    for (const [from, to] of [...files, [variables.KUBECONFIG, 'kubeconfig'] as const]) {
      await cp(from, join(folder.#root, to), { recursive: true });
    }
    await folder.#setModes({ file: 0o444, folder: 0o555 });
    return folder;
  }

  async #setModes(modes: { readonly file: number; readonly folder: number }): Promise<void> {
    const entries = await readdir(this.#root, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? modes.folder : modes.file);
    }
    await chmod(this.#root, modes.folder);
  }

  /** Starts the operator with the flags, the environment variables and, if this process can change the user, the user of the image. */
  start(): RunningCommand {
    const { user, entrypoint, env } = imageOf();
    const knowsPercentage = process.allowedNodeEnvironmentFlags.has('--max-old-space-size-percentage');
    const [, ...args] = knowsPercentage
      ? entrypoint
      : [...imageCommand().command.slice(0, -1), entrypoint.at(-1) ?? ''];
    const child = spawn(process.execPath, args, {
      cwd: this.#root,
      env: { ...env, KUBECONFIG: 'kubeconfig', KUBEWRIGHT_LEADER_ELECTION_NAMESPACE: NAMESPACE, ...LONG_LIMITS },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(this.#canRunAsAnother() && { uid: user, gid: user }),
    });
    return new RunningCommand(child);
  }
  /** Whether the operator can run as another user. That user needs access to the folder and to the Node.js program. */
  #canRunAsAnother(): boolean {
    return process.getuid?.() === 0 && [this.#root, process.execPath].every(isReachableByAll);
  }
  /** Returns the names of the files in the folder. */
  async files(): Promise<readonly string[]> {
    return (await readdir(this.#root)).toSorted();
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#setModes({ file: 0o644, folder: 0o755 });
    await rm(this.#root, { recursive: true });
  }
}

/** Returns whether every user may enter the folder of this path and all folders above it. */
function isReachableByAll(path: string): boolean {
  const folder = dirname(path);
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return folder === path || isReachableByAll(folder);
}
