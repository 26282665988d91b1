import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf } from '../metadata/reflection.js';

/**
 * Returns the documented description of a class, or of a field that the class itself declares, or undefined if there is no description.
 * Decorators cannot read comments, so the caller reads the descriptions from the source code.
 */
export type Descriptions = (shape: AnyClass, field?: string) => string | undefined;

/** Returns the description of a field. Searches the class and then its base classes, and returns the first description. */
export function fieldDescription(descriptions: Descriptions, shape: AnyClass, field: string): string | undefined {
  let declaring: unknown = shape;
  while (typeof declaring === 'function' && declaring !== Function.prototype) {
    if (metadataOf(declaring as AnyClass).fields[field] === undefined) return undefined;
    const found = descriptions(declaring as AnyClass, field);
    if (found !== undefined) return found;
    declaring = Object.getPrototypeOf(declaring);
  }
  return undefined;
}
