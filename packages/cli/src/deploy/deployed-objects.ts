import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { ProjectFiles } from 'create-operator';
import { stringify } from 'yaml';
import { GENERATED } from '../manifests/manifest-text.js';
import { manifestsInput } from '../manifests/manifests-input.js';
import { manifestsOf } from '../manifests/manifests-of.js';
import { objectsIn } from '../manifests/objects-in.js';
import { configFiles } from '../project/config-files.js';
import { inInstallOrder } from './apply-objects.js';
import { wholeManifest } from './whole-manifest.js';
import type { DeclaredProject } from './with-cluster.js';

/** The options of `deployedObjects`. */
export interface DeployedOptions {
  /** The image of the operator, which overrides the `images` of config/default. @default the image that config/default specifies */
  readonly image?: string;
  /** The environment variables. PATH specifies where to find kubectl and kustomize. @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Returns the objects of config/default in the order in which they are applied. Builds them from the current declarations in the sources
 * and the user's files in config. Does not write files into the project. Rejects with the errors of `deployedManifest`.
 */
export async function deployedObjects(
  declaredProject: DeclaredProject,
  options: DeployedOptions = {},
): Promise<readonly KubeObject[]> {
  return inInstallOrder(objectsIn(await deployedManifest(declaredProject, options)));
}

/** A placeholder that is replaced by the given image after the build, so that no `images` entry of config/default matches the image. */
const NAMED_IMAGE = 'kubewright.invalid/named-image';

/**
 * Returns the objects of config/default as one YAML text, with the given image. Rejects with the errors of `wholeManifest`.
 * @throws KubewrightError KUSTOMIZE_FAILED if a patch in config/default replaces the given image
 */
export async function deployedManifest(
  declaredProject: DeclaredProject,
  { image, env }: DeployedOptions = {},
): Promise<string> {
  const { root } = declaredProject.project;
  const files = await manifestFiles(declaredProject, image === undefined ? undefined : NAMED_IMAGE);
  const text = await wholeManifest(files, { root, ...(env && { env }) });
  if (image === undefined) return text;
  if (text.includes(NAMED_IMAGE)) return text.replaceAll(NAMED_IMAGE, () => stringify(image).trim());
  throw new KubewrightError(
    'KUSTOMIZE_FAILED',
    `cannot build config/default with the image ${image}: a patch in config/default sets another image; remove the patch, or omit --image`,
  );
}

/** Returns the files in config as `kubewright generate` would leave them: newly generated files and the unchanged files of the user. */
async function manifestFiles({ project, declared }: DeclaredProject, image: string | undefined): Promise<ProjectFiles> {
  const settings = { ...project.settings, ...(image !== undefined && { image }) };
  const found = await configFiles(project.root);
  const others = [...found].filter(([, text]) => !text.startsWith(GENERATED));
  return new Map([...manifestsOf(manifestsInput(settings, declared)), ...others]);
}
