import { resolve } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { textIfThere } from '../project/if-there.js';

/**
 * The text of a file that was named for the CustomResourceDefinitions in it.
 * @param file as it was named, in `cwd`
 * @throws KubewrightError INVALID_CRD where it is not there, UNREADABLE where it cannot be read
 */
export async function crdText(cwd: string, file: string): Promise<string> {
  const text = await textIfThere(resolve(cwd, file));
  if (text !== undefined) return text;
  throw new KubewrightError(
    'INVALID_CRD',
    `cannot read the CustomResourceDefinition of ${file}: there is no such file`,
  );
}
