import type { AnyClass } from '../metadata/any-class.js';
import type { SchemaKeywords } from '../metadata/class-metadata.js';
import { recordMetadata } from '../metadata/reflection.js';

/**
 * Adds keywords to the schema of a class, in addition to its fields and rules, as in a CustomResourceDefinition. On a kind, the keywords
 * apply to the complete object.
 * @example
 * @Schema({ 'x-kubernetes-map-type': 'atomic' })
 * class SecretRef {
 *   @Field.string() name!: string;
 * }
 */
export function Schema(keywords: SchemaKeywords): (target: AnyClass) => void {
  return (target) =>
    recordMetadata(target, (metadata) => ({ ...metadata, schema: { ...metadata.schema, ...keywords } }));
}
