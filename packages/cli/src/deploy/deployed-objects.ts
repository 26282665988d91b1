import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { KubeObject } from '@kubewright/api';
import type { ProjectFiles } from 'create-operator';
import { parseAllDocuments } from 'yaml';
import { GENERATED } from '../manifests/manifest-text.js';
import { manifestsOf } from '../manifests/manifests-of.js';
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

/** The objects of a YAML text. Throws INVALID_MANIFEST with line and reason. */
export function objectsIn(text: string, path = 'the manifests'): readonly KubeObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new KubewrightError('INVALID_MANIFEST', `cannot read ${path}: ${messageOf(error)}`);
    const object: unknown = document.toJS();
    if (object === null || object === undefined) return [];
    const { apiVersion, kind, metadata } = object as Partial<KubeObject>;
    if (typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string') {
      return [object as KubeObject];
    }
    throw new KubewrightError(
      'INVALID_MANIFEST',
      `cannot read ${path}: a document has no apiVersion, kind and metadata.name`,
    );
  });
}
