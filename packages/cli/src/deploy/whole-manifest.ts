import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import type { ProjectFiles } from 'create-operator';
import { installManifest } from '../manifests/install-manifest.js';
import { mirroredProject } from './mirrored-project.js';
import { runProgram } from '../project/run-program.js';

/** What builds a kustomization, in the order in which they are tried, with their arguments before the folder. */
const BUILDERS = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const;

/** Where a manifest is built. */
export interface WholeManifestOptions {
  /** The folder of the project, in which the files of the user are. */
  readonly root: string;
  /** @default that of this process */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * All objects of config/default as one text, of files of which the generated ones need not be on disk. A kustomization of resources alone is put together here; one
 * with more in it, such as patches, is built by kubectl or kustomize.
 * @throws KubewrightError KUSTOMIZE_NEEDED where neither is there, KUSTOMIZE_FAILED with what it said where it refuses
 */
export async function wholeManifest(files: ProjectFiles, options: WholeManifestOptions): Promise<string> {
  try {
    return installManifest(files);
  } catch (error) {
    if (!(error instanceof KubewrightError) || error.code !== 'KUSTOMIZE_NEEDED') throw error;
    const built = await builtByKustomize(files, options);
    if (built === undefined) throw error;
    return built;
  }
}

/** Undefined where there is nothing to build it with. */
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
        `cannot build config/default: '${[program, ...args].join(' ')} config/default' refuses it: ${ran.stderr.trim()}`,
      );
    }
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
