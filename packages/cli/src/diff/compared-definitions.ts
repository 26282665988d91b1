import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { definitionsIn } from '../definitions/definitions-in.js';

/**
 * The CustomResourceDefinitions of a text to compare with, as `definitionsIn` reads them.
 *
 * @param path named in errors
 * @throws KubewrightError NOT_A_DEFINITION naming it, and the line where there is one
 */
export function comparedDefinitions(text: string, path: string): readonly CustomResourceDefinition[] {
  return definitionsIn(text, path, (place, mistake) => {
    return new KubewrightError('NOT_A_DEFINITION', `cannot read the definitions to compare with: ${place}: ${mistake}`);
  });
}
