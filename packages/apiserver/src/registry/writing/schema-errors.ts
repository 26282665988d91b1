import { type FieldError, validate } from '@kubewright/api/schema';
import type { ResourceDefinition } from '../definitions/resource-definition.js';

/** Returns the errors of an object by the schema of its kind. */
export function schemaErrors(object: unknown, definition: ResourceDefinition): readonly FieldError[] {
  const errors = validate(object, definition.schema);
  // Built-in kinds decode an empty text as zero bytes. The byte format of custom resources does not allow empty text.
  return definition.custom
    ? errors
    : errors.filter(({ finding }) => finding?.kind !== 'empty-text' || finding.format !== 'byte');
}
