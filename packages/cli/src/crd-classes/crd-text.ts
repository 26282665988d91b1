import { resolve } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { textIfExists } from '../project/if-exists.js';

/**
 * Reads a file with CustomResourceDefinitions.
 * @param file the path, relative to `cwd`
 * @throws KubewrightError INVALID_CRD if the file does not exist, UNREADABLE if it cannot be read
 */
export async function crdText(cwd: string, file: string): Promise<string> {
  const text = await textIfExists(resolve(cwd, file));
  if (text !== undefined) return text;
  throw new KubewrightError(
    'INVALID_CRD',
    `cannot read the CustomResourceDefinition in ${file}: the file does not exist`,
  );
}
