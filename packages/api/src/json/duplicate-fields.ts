import type { Steps } from '../apply/steps.js';
import { visitFieldsSteps } from './visit-fields.js';

/**
 * Returns the paths of the fields that a JSON document has more than once, such as `spec.items[0].name`, in the order of the duplicates.
 * The result is meaningless if the document is not valid JSON.
 */
export function* duplicateFieldsSteps(json: string): Steps<readonly string[]> {
  const found = new Set<string>();
  yield* visitFieldsSteps(json, (path, repeated) => {
    if (repeated) found.add(path());
  });
  return [...found];
}
