import { dns1035LabelErrors, pathSegmentErrors } from '../names/dns-names.js';
import { append } from '../objects/append.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { childPath, isJsonMap, type JsonMap, ownValue } from './json-shape.js';
import type { StructuralSchema } from './structural-schema.js';
import { validateObjectMeta } from './validate-object-meta.js';

/** Returns the errors in the type and the metadata of embedded resources at all levels of a value. */
export function embeddedResourceErrors(value: unknown, schema: StructuralSchema, path: string): readonly FieldError[] {
  if (!mayEmbed(schema)) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.flatMap((item: unknown, index) => embeddedResourceErrors(item, items, `${path}[${index}]`));
  }
  if (!isJsonMap(value)) return [];
  const own = schema['x-kubernetes-embedded-resource'] === true ? resourceErrors(value, path) : [];
  return [
    ...own,
    ...Object.keys(value).flatMap((key) => {
      const property = ownValue(schema.properties, key);
      if (property !== undefined) return embeddedResourceErrors(value[key], property, childPath(path, key));
      const { additionalProperties } = schema;
      return typeof additionalProperties === 'object'
        ? embeddedResourceErrors(value[key], additionalProperties, `${path}[${key}]`)
        : [];
    }),
  ];
}

const known = new WeakMap<StructuralSchema, boolean>();

// Whether the schema, or any nested schema, embeds a resource. For most schemas, the result is false, and the value is not visited.
function mayEmbed(schema: StructuralSchema): boolean {
  const answer = known.get(schema);
  if (answer !== undefined) return answer;
  const reached = new Set<StructuralSchema>();
  const pending = [schema];
  let embeds = false;
  for (let next = pending.pop(); next !== undefined && !embeds; next = pending.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    embeds = next['x-kubernetes-embedded-resource'] === true;
    append(pending, Object.values(next.properties ?? {}));
    if (next.items !== undefined) pending.push(next.items);
    if (typeof next.additionalProperties === 'object') pending.push(next.additionalProperties);
  }
  known.set(schema, embeds);
  return embeds;
}

function resourceErrors(value: JsonMap, path: string): readonly FieldError[] {
  const errors = [...apiVersionErrors(value.apiVersion, childPath(path, 'apiVersion'))];
  append(errors, kindErrors(value.kind, childPath(path, 'kind')));
  if (isJsonMap(value.metadata)) {
    const metadata = { name: 'any', ...value.metadata };
    const namespaced = typeof value.metadata.namespace === 'string' && value.metadata.namespace !== '';
    append(
      errors,
      validateObjectMeta(metadata, { namespaced, path: childPath(path, 'metadata'), nameErrors: pathSegmentErrors }),
    );
  } else if (Object.hasOwn(value, 'metadata')) {
    errors.push(fieldErrors.invalid(childPath(path, 'metadata'), value.metadata, 'must be an object'));
  }
  return errors;
}

function apiVersionErrors(value: unknown, path: string): readonly FieldError[] {
  if (value === undefined) return [fieldErrors.required(path)];
  if (typeof value !== 'string') return [fieldErrors.invalid(path, value, 'must be a string')];
  if (value === '') return [fieldErrors.invalid(path, value, 'must not be empty')];
  if (value.split('/').length <= 2) return [];
  return [fieldErrors.invalid(path, value, `unexpected GroupVersion string: ${value}`)];
}

function kindErrors(value: unknown, path: string): readonly FieldError[] {
  if (value === undefined) return [fieldErrors.required(path)];
  if (typeof value !== 'string') return [fieldErrors.invalid(path, value, 'must be a string')];
  if (value === '') return [fieldErrors.invalid(path, value, 'must not be empty')];
  const wrong = dns1035LabelErrors(value.toLowerCase());
  if (wrong.length === 0) return [];
  return [fieldErrors.invalid(path, value, `may have mixed case, but should otherwise match: ${wrong.join(',')}`)];
}
