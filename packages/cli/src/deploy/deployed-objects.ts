import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { ProjectFiles } from 'create-operator';
import { stringify } from 'yaml';
import { GENERATED } from '../manifests/manifest-text.js';
import { manifestsOf } from '../manifests/manifests-of.js';
import { objectsIn } from '../manifests/objects-in.js';
import { configFiles } from '../project/config-files.js';
import { inInstallOrder } from './apply-objects.js';
import { wholeManifest } from './whole-manifest.js';
import type { DeclaredProject } from './with-cluster.js';

/** What is deployed, and how it is found out. */
export interface DeployedOptions {
  /** The image that the operator runs, whatever config/default says of images. @default the one of the project, as config/default says */
  readonly image?: string;
  /** In which kubectl is looked for. @default that of this process */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * The objects of config/default, in the order in which they are applied: what the sources declare, with what the user's own files in config
 * say, and with another image if one is named. Nothing is written. Rejects as `wholeManifest` does.
 */
export async function deployedObjects(
  declaredProject: DeclaredProject,
  options: DeployedOptions = {},
): Promise<readonly KubeObject[]> {
  return inInstallOrder(objectsIn(await deployedManifest(declaredProject, options)));
}

/** Stands for an image that is named, so that no setting of config/default about the image of the project is about that. */
const NAMED_IMAGE = 'kubewright.invalid/named-image';

/** The same as one text. Rejects with KUSTOMIZE_FAILED where config/default has the operator run another image than the one that is named. */
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
    `cannot build config/default with the image ${image}: a patch there has the operator run another one; take that away, or name no image`,
  );
}

/** The files of config as they would be after `kubewright generate`: what is made now, and what others wrote. */
async function manifestFiles({ project, declared }: DeclaredProject, image: string | undefined): Promise<ProjectFiles> {
  const settings = { ...project.settings, ...(image !== undefined && { image }) };
  const { crds, operator, rights } = declared;
  const found = await configFiles(project.root);
  const others = [...found].filter(([, text]) => !text.startsWith(GENERATED));
  return new Map([...manifestsOf({ settings, crds, operator, rights }), ...others]);
}
