import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { definitionsIn } from '../definitions/definitions-in.js';

/**
 * Returns the CustomResourceDefinitions in the text of a file, as `definitionsIn` reads them.
 *
 * @param path the path of the file, for errors
 * @throws KubewrightError INVALID_CRD with the file and the line, if the text is not YAML, has no definition, or has a definition of an old
 *   version
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
