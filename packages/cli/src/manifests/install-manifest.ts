import { posix } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import type { ProjectFiles } from 'create-operator';
import { inInstallOrder, type ManifestDocument, nameOfDocument } from './install-order.js';
import { GENERATED } from './manifest-text.js';
import { USER_KUSTOMIZATION } from './manifests-of.js';
import { documentsOf } from './objects-in.js';

/** Text that occurs only in the URL of a remote resource, which kubectl downloads. */
const REMOTE = /[:@?]|\/\/|\.git(\/|$)|^github\.com\//i;
/** The fields of a kustomization that `installManifest` supports without kubectl. */
const UNDERSTOOD = ['apiVersion', 'kind', 'resources'];
const KUSTOMIZATIONS = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/**
 * Returns all objects of config/default as one YAML text, in the order of `kubectl kustomize config/default`. Preserves the formatting and
 * the comments of each object.
 *
 * @param files the files of the config folder
 * @throws KubewrightError KUSTOMIZE_REQUIRED if a kustomization contains fields or resources that only kubectl supports;
 *   INVALID_KUSTOMIZATION if kubectl also rejects the kustomization, because a resource does not exist, is listed twice, or includes
 *   itself; INVALID_MANIFEST if a file is not valid YAML
 */
export function installManifest(files: ProjectFiles): string {
  const documents = resourcesOf(files, posix.dirname(USER_KUSTOMIZATION), []);
  const names = documents.map(nameOfDocument);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw invalid(USER_KUSTOMIZATION, `${twice} is listed twice; remove one of the resources that contain this object`);
  }
  return inInstallOrder(documents)
    .map(({ text }) => text)
    .join('---\n');
}

function resourcesOf(files: ProjectFiles, folder: string, from: readonly string[]): readonly ManifestDocument[] {
  const path = KUSTOMIZATIONS.map((name) => `${folder}/${name}`).find((name) => files.has(name)) ?? '';
  const kustomization = documentsOf(files.get(path) ?? '', path)[0] ?? {};
  if (!isJsonObject(kustomization))
    throw invalid(path, "it is not an object; write a list of files and folders under 'resources'");
  const other = Object.keys(kustomization).find((key) => !UNDERSTOOD.includes(key));
  if (other !== undefined) throw notUnderstood(path, `it has '${other}'`);
  const { resources = [] } = kustomization;
  if (!Array.isArray(resources)) throw invalid(path, "'resources' is not a list; write a list of files and folders");
  return resources.flatMap((resource) => {
    const target = posix.join(folder, String(resource));
    if (from.includes(target)) throw invalid(path, `'${resource}' includes itself; remove this resource`);
    const text = files.get(target);
    if (text !== undefined) return textsOf(text, target);
    if (KUSTOMIZATIONS.some((name) => files.has(`${target}/${name}`))) {
      return resourcesOf(files, target, [...from, folder]);
    }
    if (REMOTE.test(String(resource)) || !`${target}/`.startsWith('config/')) {
      throw notUnderstood(path, `'${resource}' is not in config`);
    }
    throw invalid(
      path,
      `'${resource}' is neither a file nor a folder with a kustomization; create it, or remove this resource`,
    );
  });
}

/**
 * Splits a file at the lines that start with `---`. Such a line always separates documents, because lines of a text block are indented.
 */
function textsOf(text: string, path: string): readonly ManifestDocument[] {
  return text
    .replace(`${GENERATED}\n`, '')
    .split(/^---(?:[ \t].*)?\n/m)
    .flatMap((each) => {
      const [object] = documentsOf(each, path);
      return isJsonObject(object) ? [{ text: each.endsWith('\n') ? each : `${each}\n`, object }] : [];
    });
}

/** Returns the error for a kustomization that kubectl rejects, too. */
function invalid(path: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_KUSTOMIZATION', `cannot build config/default: in ${path}, ${problem}`);
}

/** Returns the error for a kustomization that is too complex for `installManifest`, but not for kubectl. */
function notUnderstood(path: string, what: string): KubewrightError {
  return new KubewrightError(
    'KUSTOMIZE_REQUIRED',
    `cannot write config/default to one file: ${path} contains more than a list of files and folders in config: ${what}; install kubectl, which can build it, or use 'kubectl apply -k config/default'`,
  );
}
