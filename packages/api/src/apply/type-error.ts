import { elementText, type PathElement } from './path-element.js';

/** Reports a value that its type does not allow. `below` completes the path of the value while the error propagates. */
export class FieldTypeError extends Error {
  readonly path: string;
  readonly detail: string;
  constructor(detail: string, path = '') {
    super(path === '' ? detail : `${path}: ${detail}`);
    this.path = path;
    this.detail = detail;
  }
}

/** Runs `step` for the value below `element`. Prepends the element to the path of a `FieldTypeError`. */
export function below<T>(element: PathElement, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof FieldTypeError) throw new FieldTypeError(error.detail, elementText(element) + error.path);
    throw error;
  }
}
