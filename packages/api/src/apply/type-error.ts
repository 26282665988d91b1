import { elementText, type PathElement } from './path-element.js';

/** A value that its type does not allow. Carries the path of the value while it is thrown upwards. */
export class FieldTypeError extends Error {
  readonly path: string;
  readonly detail: string;
  constructor(detail: string, path = '') {
    super(path === '' ? detail : `${path}: ${detail}`);
    this.path = path;
    this.detail = detail;
  }
}

/** Runs `step` for the value below `element`; an error it throws gains the element in its path. */
export function below<T>(element: PathElement, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof FieldTypeError) throw new FieldTypeError(error.detail, elementText(element) + error.path);
    throw error;
  }
}
