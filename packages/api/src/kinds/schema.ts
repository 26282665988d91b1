import type { AnyClass } from '../metadata/any-class.js';
import type { SchemaKeywords } from '../metadata/class-metadata.js';
import { recordMetadata } from '../metadata/reflection.js';

/**
 * What the schema of a class says beside its fields and rules, as it stands in a CustomResourceDefinition. On a kind it is said of the
 * whole object.
 *
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
