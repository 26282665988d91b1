import { visitFields } from './visit-fields.js';

/**
 * The paths of the fields that a JSON document names more than once, as in `spec.items[0].name`, in the order in which
 * the repetitions stand. The document must be valid: for another one the answer means nothing.
 */
export function duplicateFields(json: string): readonly string[] {
  const found = new Set<string>();
  visitFields(json, (path, repeated) => {
    if (repeated) found.add(path());
  });
  return [...found];
}
