import { type FieldError, validate } from '@kubewright/api/schema';
import type { ResourceDefinition } from './resource-definition.js';

/** What of an object does not fit the schema of its kind. */
export function schemaErrors(object: unknown, definition: ResourceDefinition): readonly FieldError[] {
  const errors = validate(object, definition.schema);
  // Built-in kinds read an empty text as no bytes, which the format does not allow in custom ones.
  return definition.custom ? errors : errors.filter(({ message }) => !message.endsWith('must be of type byte: ""'));
}
