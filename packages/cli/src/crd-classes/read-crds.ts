import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { definitionsIn } from '../definitions/definitions-in.js';

/**
 * Parses the CustomResourceDefinitions in the text of a file.
 *
 * @param path the path of the file for error messages
 * @throws KubewrightError INVALID_CRD if the text is not valid YAML, contains no CustomResourceDefinition, or contains a
 *   CustomResourceDefinition that `definitionsIn` rejects, such as one with an old apiVersion
 */
export function readCrds(text: string, path: string): readonly CustomResourceDefinition[] {
  const crds = definitionsIn(text, path, invalid);
  if (crds.length === 0)
    throw invalid(path, 'the file has no CustomResourceDefinition; specify a file with a CustomResourceDefinition');
  return crds;
}

function invalid(place: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_CRD', `cannot read the CustomResourceDefinition in ${place}: ${problem}`);
}
