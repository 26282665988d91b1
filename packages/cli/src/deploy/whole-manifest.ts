import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import type { ProjectFiles } from 'create-operator';
import { installManifest } from '../manifests/install-manifest.js';
import { mirroredProject } from './mirrored-project.js';
import { runProgram } from '../project/run-program.js';

/** The commands that build a kustomization, in order of preference. The path of the folder is appended to the arguments. */
const BUILDERS = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const;

/** The options of `wholeManifest`. */
export interface WholeManifestOptions {
  /** The folder of the project, which contains the user's files. */
  readonly root: string;
  /** The environment variables. PATH specifies where to find kubectl and kustomize. @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Returns all objects of config/default as one YAML text. The generated files do not need to exist on disk. If the kustomizations contain
 * only resources, concatenates the resources. Otherwise, for example for patches, runs `kubectl kustomize` or `kustomize build`.
 * @throws KubewrightError KUSTOMIZE_REQUIRED if neither kubectl nor kustomize is installed, and KUSTOMIZE_FAILED with the output of the
 *   program if the build fails. Rejects with the other errors of `installManifest`.
 */
export async function wholeManifest(files: ProjectFiles, options: WholeManifestOptions): Promise<string> {
  try {
    return installManifest(files);
  } catch (error) {
    if (!(error instanceof KubewrightError) || error.code !== 'KUSTOMIZE_REQUIRED') throw error;
    const built = await builtByKustomize(files, options);
    if (built === undefined) throw error;
    return built;
  }
}

/** Returns the manifest that kubectl or kustomize builds; undefined if neither program is installed. */
async function builtByKustomize(
  files: ProjectFiles,
  { root, env = process.env }: WholeManifestOptions,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-manifests-'));
  try {
    const cwd = await mirroredProject(root, files, folder);
    for (const [program, ...args] of BUILDERS) {
      const run = runProgram(program, [...args, 'config/default'], { cwd, env });
      const ran = await run.catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? undefined : error));
      if (ran === undefined) continue;
      if (ran instanceof Error) throw ran;
      if (ran.exitCode === 0) return ran.stdout;
      throw new KubewrightError(
        'KUSTOMIZE_FAILED',
        `cannot build config/default: '${[program, ...args].join(' ')} config/default' failed: ${ran.stderr.trim()}`,
      );
    }
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
