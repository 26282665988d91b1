import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '@kubewright/api';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@kubewright/api/admissionregistration/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { InvalidYamlError, parseYaml } from '@kubewright/apiserver/internal';

/** A webhook configuration of a manifest. */
export type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/** The objects that a test environment reads from manifests. Documents of other kinds are ignored. */
interface Wanted {
  readonly kinds: readonly string[];
  /** The plural name of the objects for messages. */
  readonly name: string;
  /** The action that fails if a manifest cannot be read, for messages. */
  readonly action: string;
  /** Returns the problem of an object, or undefined. */
  readonly problem: (object: KubeObject) => string | undefined;
}

const MANIFEST = /\.(ya?ml|json)$/;
const DEFINITIONS: Wanted = {
  kinds: ['CustomResourceDefinition'],
  name: 'CustomResourceDefinitions',
  action: 'install the kinds',
  problem: (object) => {
    const { metadata, spec } = object as Definition;
    if (spec?.versions?.some(({ served }) => served === true)) return undefined;
    return `${metadata?.name} serves no version; set served: true in at least one version`;
  },
};
const CONFIGURATIONS: Wanted = {
  kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  name: 'webhook configurations',
  action: 'register the webhooks',
  problem: ({ apiVersion, kind }) =>
    apiVersion === 'admissionregistration.k8s.io/v1'
      ? undefined
      : `${kind} has the version ${apiVersion}; use admissionregistration.k8s.io/v1`,
};

interface Definition extends KubeObject {
  readonly spec?: { readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[] };
}

/**
 * Reads the CustomResourceDefinitions of manifests: files, or folders with files that end in .yaml, .yml or .json. Ignores documents of
 * other kinds. If two definitions have the same name, the last one applies. Rejects with NO_MANIFEST if a path does not exist or contains
 * no definition, and with INVALID_MANIFEST if a file cannot be parsed or a definition serves no version.
 */
export function readDefinitions(paths: readonly string[]): Promise<readonly KubeObject[]> {
  return readObjects(paths, DEFINITIONS);
}

/**
 * Reads the webhook configurations of manifests, as `readDefinitions` reads definitions. Rejects with NO_MANIFEST if a path does not exist
 * or contains no configuration, and with INVALID_MANIFEST if a file cannot be parsed or a configuration has an API version other than
 * `admissionregistration.k8s.io/v1`.
 */
export async function readWebhookConfigurations(paths: readonly string[]): Promise<readonly WebhookConfiguration[]> {
  return (await readObjects(paths, CONFIGURATIONS)) as readonly WebhookConfiguration[];
}

async function readObjects(paths: readonly string[], wanted: Wanted): Promise<readonly KubeObject[]> {
  const byName = new Map<string, KubeObject>();
  for (const path of paths) {
    const objects: KubeObject[] = [];
    for (const file of await manifestsAt(path, wanted)) {
      append(objects, objectsIn(await readFile(file, 'utf8'), file, wanted));
    }
    if (objects.length === 0) throw noManifest(path, `it contains no ${wanted.kinds.join(' or ')}`, wanted);
    for (const object of objects) byName.set(`${object.kind} ${object.metadata.name}`, object);
  }
  return [...byName.values()];
}

async function manifestsAt(path: string, wanted: Wanted): Promise<readonly string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw noManifest(path, 'the path does not exist', wanted, cause);
  });
  if (!found.isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => MANIFEST.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

function objectsIn(text: string, file: string, wanted: Wanted): readonly KubeObject[] {
  const objects: KubeObject[] = [];
  for (const document of documentsOf(text, file, wanted)) {
    const object = document as KubeObject | null;
    if (object === null || !wanted.kinds.includes(object.kind)) continue;
    const problem = wanted.problem(object);
    if (problem !== undefined) throw invalidManifest(file, problem, wanted);
    objects.push(object);
  }
  return objects;
}

function documentsOf(text: string, file: string, wanted: Wanted): readonly unknown[] {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof InvalidYamlError)) throw error;
    throw invalidManifest(file, error.message, wanted, error);
  }
}

function noManifest(path: string, why: string, { action, name }: Wanted, cause?: unknown): KubewrightError {
  return new KubewrightError(
    'NO_MANIFEST',
    `cannot ${action} of ${path}: ${why}; pass a file or a folder with ${name}`,
    { cause },
  );
}
function invalidManifest(file: string, why: string, { action }: Wanted, cause?: unknown): KubewrightError {
  return new KubewrightError('INVALID_MANIFEST', `cannot ${action} of ${file}: ${why}`, { cause });
}
