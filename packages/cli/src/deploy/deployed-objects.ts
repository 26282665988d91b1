import type { KubeObject } from '@kubewright/api';
import type { ProjectFiles } from 'create-operator';
import { GENERATED } from '../manifests/manifest-text.js';
import { manifestsOf } from '../manifests/manifests-of.js';
import { objectsIn } from '../manifests/objects-in.js';
import { configFiles } from '../project/config-files.js';
import { inInstallOrder } from './apply-objects.js';
import { wholeManifest } from './whole-manifest.js';
import type { DeclaredProject } from './with-cluster.js';

/**
 * The objects of config/default, in the order in which they are applied: what the sources declare, with what the user's own files in config
 * say, and with another image if one is named. Nothing is written. Rejects as `wholeManifest` does.
 */
export async function deployedObjects(
  declaredProject: DeclaredProject,
  { image }: { readonly image?: string } = {},
): Promise<readonly KubeObject[]> {
  return inInstallOrder(objectsIn(await wholeManifest(await manifestFiles(declaredProject, { image }))));
}

/** The files of config as they would be after `kubewright generate`: what is made now, and what others wrote. */
export async function manifestFiles(
  { project, declared }: DeclaredProject,
  { image }: { readonly image?: string | undefined } = {},
): Promise<ProjectFiles> {
  const settings = { ...project.settings, ...(image !== undefined && { image }) };
  const { crds, operator, rights } = declared;
  const found = await configFiles(project.root);
  const others = [...found].filter(([, text]) => !text.startsWith(GENERATED));
  return new Map([...manifestsOf({ settings, crds, operator, rights }), ...others]);
}
