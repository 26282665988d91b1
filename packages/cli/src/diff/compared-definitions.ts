import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { definitionsIn } from '../definitions/definitions-in.js';

/**
 * Returns the CustomResourceDefinitions in a text for a comparison, as `definitionsIn` reads them.
 *
 * @param path the name of the text in errors
 * @throws KubewrightError NOT_A_DEFINITION with the path, and with the line if it is known
 */
export function comparedDefinitions(text: string, path: string): readonly CustomResourceDefinition[] {
  return definitionsIn(text, path, (place, problem) => {
    return new KubewrightError('NOT_A_DEFINITION', `cannot read the previous definitions: ${place}: ${problem}`);
  });
}
