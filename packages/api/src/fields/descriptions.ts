import type { AnyClass } from '../metadata/any-class.js';
import { metadataOf } from '../metadata/reflection.js';

/**
 * What the documentation says of a class, or of a field that the class itself declares; undefined where it says nothing. Decorators
 * do not see comments, so these come from whoever reads the sources.
 */
export type Descriptions = (shape: AnyClass, field?: string) => string | undefined;

/** What is said of a field, by the class that declares it or by one that this extends; the nearest counts. */
export function fieldDescription(descriptions: Descriptions, shape: AnyClass, field: string): string | undefined {
  let declaring: unknown = shape;
  while (typeof declaring === 'function' && declaring !== Function.prototype) {
    if (metadataOf(declaring as AnyClass).fields[field] === undefined) return undefined;
    const said = descriptions(declaring as AnyClass, field);
    if (said !== undefined) return said;
    declaring = Object.getPrototypeOf(declaring);
  }
  return undefined;
}
