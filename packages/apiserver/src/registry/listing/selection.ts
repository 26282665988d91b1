import { KubewrightError } from '@kubewright/api/errors';
import { parseFieldSelector, parseLabelSelector } from '@kubewright/api/selectors';
import type { ApiObject } from '../objects/api-object.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { badRequest } from '../requests/status-errors.js';
import type { Selection } from '../requests/verb-options.js';

const always = ['metadata.name', 'metadata.namespace'];

/** Returns a function that tests whether an object matches both selectors. Throws 400 for invalid selectors and for unsupported fields. */
export function compileSelection(
  definition: ResourceDefinition,
  { labelSelector, fieldSelector }: Omit<Selection, 'namespace'>,
): (object: ApiObject) => boolean {
  const labels = labelSelector ? understood(() => parseLabelSelector(labelSelector)) : undefined;
  const fields = fieldSelector ? understood(() => parseFieldSelector(fieldSelector)) : undefined;
  for (const { field } of fields?.requirements ?? []) checkField(field, definition);
  if (labels === undefined && fields === undefined) return () => true;
  return (object) =>
    (labels?.matches(object.metadata.labels ?? {}) ?? true) &&
    (fields?.matches((field) => fieldOf(object, field, definition)) ?? true);
}

function understood<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof KubewrightError && error.code === 'INVALID_SELECTOR') throw badRequest(error.message);
    throw error;
  }
}

function checkField(field: string, definition: ResourceDefinition): void {
  const { selectableFields, custom, strategy } = definition;
  if (always.includes(field) || selectableFields.includes(field)) return;
  if (strategy.unsupportedField !== undefined) throw badRequest(strategy.unsupportedField(field));
  throw badRequest(
    custom || selectableFields.length > 0
      ? `field label not supported: ${field}`
      : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

function fieldOf(object: ApiObject, field: string, definition: ResourceDefinition): string {
  if (field === 'metadata.name') return object.metadata.name;
  if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
  return definition.strategy.selectableField(object, field);
}
