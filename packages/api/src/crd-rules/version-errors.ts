import { append } from '../objects/append.js';
import type { FieldError } from '../schema/field-error.js';
import { fieldErrors } from '../schema/field-errors.js';
import { isObject, objectsAt, stringAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'].join(',');
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const mostSelectableFields = 8;

/** Returns the errors in the deprecation warning of a version. */
export function deprecationErrors(version: JsonObject, path: string): readonly FieldError[] {
  const { deprecationWarning: warning } = version;
  if (typeof warning !== 'string') return [];
  const found: string[] = [];
  if (version['deprecated'] !== true) found.push('can only be set for deprecated versions');
  else {
    if (Buffer.byteLength(warning) > 256) found.push('must be <= 256 characters long');
    if (warning === '') found.push('must not be an empty string');
    const at = firstUnprintable(warning);
    if (at !== undefined) {
      found.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
    }
  }
  return found.map((why) => fieldErrors.invalid(`${path}.deprecationWarning`, warning, why));
}

function firstUnprintable(text: string): number | undefined {
  const found = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(text);
  return found === null ? undefined : Buffer.byteLength(text.slice(0, found.index));
}

/** Returns the errors in the subresources at a path. */
export function subresourceErrors(subresources: unknown, path: string): readonly FieldError[] {
  const scale = isObject(subresources) ? subresources['scale'] : undefined;
  if (!isObject(scale)) return [];
  const under = (field: string, roots: readonly string[], optional = false): readonly FieldError[] => {
    const jsonPath = stringAt(scale, field);
    const at = `${path}.scale.${field}`;
    if (jsonPath === '') return optional ? [] : [fieldErrors.required(at)];
    const simple = simplePathErrors(jsonPath, at);
    if (simple.length > 0 || roots.some((root) => jsonPath.startsWith(`${root}.`))) return simple;
    const where = roots.length === 1 ? roots.join() : `either ${roots.join(' or ')}`;
    return [fieldErrors.invalid(at, jsonPath, `should be a json path under ${where}`)];
  };
  return [
    ...under('specReplicasPath', ['.spec']),
    ...under('statusReplicasPath', ['.status']),
    ...under('labelSelectorPath', ['.spec', '.status'], true),
  ];
}

function simplePathErrors(jsonPath: string, path: string): readonly FieldError[] {
  if (jsonPath.startsWith('.')) return [];
  return [fieldErrors.invalid(path, jsonPath, 'must be a simple json path starting with .')];
}

/** Returns the errors in the printer columns at a path. */
export function columnErrors(columns: unknown, path: string): readonly FieldError[] {
  return objectsAt({ columns }, 'columns').flatMap((column, index) => oneColumn(column, `${path}[${index}]`));
}

function oneColumn(column: JsonObject, path: string): readonly FieldError[] {
  const [name, type, format, jsonPath] = ['name', 'type', 'format', 'jsonPath'].map((field) => stringAt(column, field));
  const errors: FieldError[] = [];
  if (!name) errors.push(fieldErrors.required(`${path}.name`));
  if (!type) errors.push(fieldErrors.required(`${path}.type`, `must be one of ${columnTypes}`));
  else if (!columnTypes.split(',').includes(type)) {
    errors.push(fieldErrors.invalid(`${path}.type`, type, `must be one of ${columnTypes}`));
  }
  if (format && !columnFormats.includes(format)) {
    errors.push(fieldErrors.invalid(`${path}.format`, format, `must be one of ${columnFormats.join(',')}`));
  }
  if (!jsonPath) errors.push(fieldErrors.required(`${path}.JSONPath`));
  else append(errors, simplePathErrors(jsonPath, `${path}.JSONPath`));
  return errors;
}

/**
 * Returns the errors in the selectable fields at a path. If `grandfathered` is true, more than 8 fields are allowed, because the list is
 * unchanged.
 */
export function selectableErrors(
  fields: unknown,
  { schema, path, grandfathered }: { readonly schema: unknown; readonly path: string; readonly grandfathered: boolean },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, field] of objectsAt({ fields }, 'fields').entries()) {
    const at = `${path}[${index}].jsonPath`;
    const jsonPath = stringAt(field, 'jsonPath');
    if (jsonPath === '') {
      errors.push(fieldErrors.required(at));
      continue;
    }
    const found = fieldAt(jsonPath, schema);
    if (typeof found === 'string') {
      errors.push(fieldErrors.invalid(at, jsonPath, `is an invalid path: ${found}`));
      continue;
    }
    if (jsonPath.split('.')[1] === 'metadata') {
      errors.push(fieldErrors.invalid(at, jsonPath, 'must not point to fields in metadata'));
    }
    if (!['string', 'boolean', 'integer'].includes(stringAt(found, 'type'))) {
      const why =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(fieldErrors.invalid(at, jsonPath, why));
    }
    if (seen.has(jsonPath)) errors.push(fieldErrors.duplicate(at, jsonPath));
    seen.add(jsonPath);
  }
  if (seen.size > mostSelectableFields && !grandfathered) {
    errors.push(fieldErrors.tooMany(path, seen.size, mostSelectableFields));
  }
  return errors;
}

/** Returns the schema at a dotted path, or the reason why the path is invalid. */
function fieldAt(jsonPath: string, schema: unknown): JsonObject | string {
  let current = schema;
  const tokens = jsonPath.match(/[.[\]]|[^.[\]]+/g) ?? [];
  for (let at = 0; at < tokens.length; at += 2) {
    const [token, name] = tokens.slice(at, at + 2);
    if (token === '[') return 'array notation is not allowed';
    if (token !== '.') return `expected [ or . but got: ${token}`;
    if (name === undefined) return 'unexpected end of JSON path';
    const { properties, additionalProperties } = isObject(current) ? current : {};
    if (isObject(properties)) current = properties[name];
    else current = isObject(additionalProperties) ? additionalProperties : undefined;
    if (current === undefined) return 'does not refer to a valid field';
  }
  return isObject(current) ? current : 'does not refer to a valid field';
}
