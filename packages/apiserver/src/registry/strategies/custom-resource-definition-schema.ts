import { checkStructural, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { isObject, objectAt, objectsAt } from '../json-object.js';
import { schemaText, setFields } from './custom-resource-definition-text.js';

const celRefusal =
  'CEL rules (x-kubernetes-validations) are not evaluated by this server yet; a definition that needs them is refused ' +
  'rather than served without them';

/** What a schema with a status beside it may say at its root. */
const allowedAtRoot = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

/** What is wrong with the schema of a version, or of all of them, at a path. */
export function schemaRuleErrors(
  validation: unknown,
  { path, hasStatus }: { readonly path: string; readonly hasStatus: boolean },
): readonly FieldError[] {
  const schema = isObject(validation) ? validation['openAPIV3Schema'] : undefined;
  if (!isObject(schema)) return [];
  const at = `${path}.openAPIV3Schema`;
  const errors: FieldError[] = [];
  if (hasStatus) errors.push(...rootErrors(schema, at));
  if (schema['nullable'] === true) {
    errors.push(fieldErrors.forbidden(`${at}.nullable`, 'nullable cannot be true at the root'));
  }
  return [...errors, ...checkStructural(schema, at), ...celErrors(schema, at)];
}

function rootErrors(schema: Record<string, unknown>, path: string): readonly FieldError[] {
  for (const field of setFields(schema)) {
    if (field === 'Type') {
      if (schema['type'] === 'object') continue;
      const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [fieldErrors.invalid(`${path}.type`, schema['type'], why)];
    }
    if (allowedAtRoot.includes(field)) continue;
    const why = `only [${allowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [{ reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${schemaText(schema)}: ${why}` }];
  }
  return [];
}

/** Every place of a schema that carries rules. */
function celErrors(schema: unknown, path: string): readonly FieldError[] {
  if (!isObject(schema)) return [];
  const own =
    schema['x-kubernetes-validations'] === undefined
      ? []
      : [fieldErrors.forbidden(`${path}.x-kubernetes-validations`, celRefusal)];
  const properties = Object.entries(objectAt(schema, 'properties'));
  return [
    ...own,
    ...properties.flatMap(([name, child]) => celErrors(child, `${path}.properties[${name}]`)),
    ...celErrors(schema['items'], `${path}.items`),
    ...celErrors(schema['additionalProperties'], `${path}.additionalProperties`),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((field) =>
      objectsAt(schema, field).flatMap((child, index) => celErrors(child, `${path}.${field}[${index}]`)),
    ),
  ];
}
