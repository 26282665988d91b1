import { join } from 'node:path';
import type { KubeObject } from '@kubewright/api';
import { kindRefOf } from '@kubewright/api/metadata';
import type { KubeApi } from '../deploy/kube-api.js';
import { manifestsInput } from '../manifests/manifests-input.js';
import { manifestsOf } from '../manifests/manifests-of.js';
import { objectsIn } from '../manifests/objects-in.js';
import type { InspectedProject } from '../project/inspected-project.js';
import { entriesIfExists, textOf } from '../project/if-exists.js';
import type { Project } from '../project/project.js';

/** The path of the folder with sample objects, relative to the project. */
export const SAMPLES = join('config', 'samples');

/** An object in a sample file. */
export interface Sample {
  /** The path of the file, relative to the project. */
  readonly path: string;
  readonly object: KubeObject;
}

/**
 * Returns the objects in the files of config/samples. If there are no files, returns the samples that `kubewright generate` would write.
 * @throws KubewrightError INVALID_MANIFEST with the path of the file if a file is not a valid manifest
 */
export async function samplesOf({ root, settings }: Project, declared: InspectedProject): Promise<readonly Sample[]> {
  const names = (await entriesIfExists(join(root, SAMPLES))).map(({ name }) => name);
  const paths = names.filter((name) => /\.(ya?ml|json)$/.test(name) && !name.startsWith('kustomization.')).toSorted();
  const files = await Promise.all(
    paths.map(async (name) => [join(SAMPLES, name), await textOf(join(root, SAMPLES, name))] as const),
  );
  const generated = files.length > 0 ? [] : [...manifestsOf(manifestsInput(settings, declared))];
  const all = [...files, ...generated.filter(([path]) => path.startsWith('config/samples/'))];
  return all.flatMap(([path, text]) => objectsIn(text, path).map((object) => ({ path, object })));
}

/** Adds the namespace of the kubeconfig context, or otherwise `default`, to an object of a namespaced kind without a namespace. */
export async function placed(api: KubeApi, object: KubeObject): Promise<KubeObject> {
  const { namespaced } = await api.discovery.resolve(kindRefOf(object));
  const { namespace = api.connection.namespace ?? 'default' } = object.metadata;
  return namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object;
}
