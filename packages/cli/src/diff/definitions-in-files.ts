import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { append } from '@kubewright/api/json';
import { textOf } from '../project/if-exists.js';
import { comparedDefinitions } from './compared-definitions.js';

/**
 * Reads the definitions in a file, or in all YAML and JSON files below a folder, except in node_modules. Skips other objects.
 * @param written the path in the option `--against`, for error messages
 * @throws KubewrightError NO_DEFINITIONS if the path cannot be read or contains no definition, and NOT_A_DEFINITION if a file is invalid
 */
export async function definitionsInFiles(path: string, written: string): Promise<readonly CustomResourceDefinition[]> {
  const found: CustomResourceDefinition[] = [];
  for (const file of await manifestsAt(path, written)) {
    append(found, comparedDefinitions(await textOf(file), file));
  }
  if (found.length > 0) return found;
  throw missing(
    `${written} contains no CustomResourceDefinition; pass --against with a file or folder that contains one, such as config/crd/bases`,
  );
}

async function manifestsAt(path: string, written: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const below = await readdir(path, { recursive: true });
    return below
      .filter((name) => /\.(ya?ml|json)$/.test(name) && !name.includes('node_modules'))
      .toSorted()
      .map((name) => join(path, name));
  } catch (cause) {
    const why = `cannot read ${written} (${messageOf(cause)}); pass --against git:REF, FILE, DIR or cluster`;
    throw missing(why, cause);
  }
}

function missing(why: string, cause?: unknown): KubewrightError {
  return new KubewrightError('NO_DEFINITIONS', `cannot find the previous definitions: ${why}`, { cause });
}
