import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { textIfExists } from '../project/if-exists.js';
import type { Project } from '../project/project.js';
import { jsonIfValid } from './json-if-valid.js';

/** The path of the file with the accepted findings, relative to the project. */
export const ACCEPTED = 'explore.accepted.json';

/**
 * Returns the signatures of the accepted findings of a project. Reads them from a JSON object with the reason for each signature. Returns
 * an empty list if the project has no such file. Throws INVALID_PROJECT if the file is not valid.
 */
export async function acceptedSignatures({ root }: Project): Promise<readonly string[]> {
  const text = await textIfExists(join(root, ACCEPTED));
  if (text === undefined) return [];
  const accepted = jsonIfValid(text);
  if (isJsonObject(accepted) && Object.values(accepted).every((reason) => typeof reason === 'string')) {
    return Object.keys(accepted);
  }
  const remedy =
    'write an object with a reason for each signature, such as { "deletion PersistentVolumeClaim": "keeps the data" }';
  throw new KubewrightError('INVALID_PROJECT', `cannot read ${ACCEPTED}: it is not valid; ${remedy}`);
}
