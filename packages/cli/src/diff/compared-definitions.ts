import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { definitionsIn } from '../definitions/definitions-in.js';

/**
 * Parses the previous CustomResourceDefinitions for `kubewright diff`.
 *
 * @param path the name of the text in error messages
 * @throws KubewrightError NOT_A_DEFINITION with the path, and the line if known, if `definitionsIn` rejects the text
 */
export function comparedDefinitions(text: string, path: string): readonly CustomResourceDefinition[] {
  return definitionsIn(text, path, (place, problem) => {
    return new KubewrightError('NOT_A_DEFINITION', `cannot read the previous definitions: ${place}: ${problem}`);
  });
}
