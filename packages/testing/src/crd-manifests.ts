import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { InvalidYamlError, parseYaml } from '@kubewright/apiserver/internal';

const MANIFEST = /\.(ya?ml|json)$/;

interface Definition extends KubeObject {
  readonly spec?: { readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[] };
}

/**
 * Reads the CustomResourceDefinitions of manifests: files, or folders with files that end in .yaml, .yml or .json. Ignores documents of
 * other kinds. If two definitions have the same name, the last one applies. Rejects with NO_MANIFEST if a path does not exist or contains
 * no definition, and with INVALID_MANIFEST if a file cannot be parsed or a definition serves no version.
 */
export async function readDefinitions(paths: readonly string[]): Promise<readonly KubeObject[]> {
  const byName = new Map<string, KubeObject>();
  for (const path of paths) {
    const definitions: KubeObject[] = [];
    for (const file of await manifestsAt(path)) append(definitions, definitionsIn(await readFile(file, 'utf8'), file));
    if (definitions.length === 0) throw noManifest(path, 'it contains no CustomResourceDefinition');
    for (const definition of definitions) byName.set(definition.metadata.name, definition);
  }
  return [...byName.values()];
}

async function manifestsAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw noManifest(path, 'the path does not exist', cause);
  });
  if (!found.isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => MANIFEST.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

function definitionsIn(text: string, file: string): readonly KubeObject[] {
  const definitions: KubeObject[] = [];
  for (const document of documentsOf(text, file)) {
    const object = document as Definition | null;
    if (object?.kind !== 'CustomResourceDefinition') continue;
    if (!object.spec?.versions?.some(({ served }) => served === true)) {
      throw invalidManifest(
        file,
        `${object.metadata?.name} serves no version; set served: true in at least one version`,
      );
    }
    definitions.push(object);
  }
  return definitions;
}

function documentsOf(text: string, file: string): readonly unknown[] {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof InvalidYamlError)) throw error;
    throw invalidManifest(file, error.message, error);
  }
}

function noManifest(path: string, why: string, cause?: unknown): KubewrightError {
  return new KubewrightError(
    'NO_MANIFEST',
    `cannot install the kinds of ${path}: ${why}; pass a file or a folder with CustomResourceDefinitions`,
    { cause },
  );
}
function invalidManifest(file: string, why: string, cause?: unknown): KubewrightError {
  return new KubewrightError('INVALID_MANIFEST', `cannot install the kinds of ${file}: ${why}`, { cause });
}
