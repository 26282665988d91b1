import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { KubeObject } from '@kubewright/api';
import type { ProjectFiles } from 'create-operator';
import { parseAllDocuments } from 'yaml';
import { installManifest } from '../manifests/install-manifest.js';
import { isUserFile, manifestsOf } from '../manifests/manifests-of.js';
import { inInstallOrder } from './apply-objects.js';
import type { DeclaredProject } from './with-cluster.js';

/**
 * The objects of config/default, in the order in which they are applied: what the sources declare, with what the user's own files in config
 * say, and with another image if one is named. Nothing is written.
 */
export async function deployedObjects(
  declaredProject: DeclaredProject,
  { image }: { readonly image?: string } = {},
): Promise<readonly KubeObject[]> {
  return inInstallOrder(objectsIn(installManifest(await manifestFiles(declaredProject, { image }))));
}

/** The files of config as they would be if they were generated now, with those of the user as they are. */
export async function manifestFiles(
  { project, declared }: DeclaredProject,
  { image }: { readonly image?: string | undefined } = {},
): Promise<ProjectFiles> {
  const settings = { ...project.settings, ...(image !== undefined && { image }) };
  const { crds, operator, rights } = declared;
  const generated = manifestsOf({ settings, crds, operator, rights });
  const files = [...generated].map(async ([path, text]): Promise<readonly [string, string]> => {
    if (!isUserFile(path)) return [path, text];
    return [path, await readFile(join(project.root, path), 'utf8').catch(() => text)];
  });
  return new Map(await Promise.all(files));
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
