import { fieldErrors } from '../schema/field-errors.js';
import { ruleText } from '../schema/rule-text.js';
import type { ValidationRule } from '../schema/structural-schema.js';
import { isObject } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';

/** How the value of a field of one of the server's own types is written. */
type Print = (value: unknown) => string;
/** The fields of such a type in their order: its name there, its name in JSON, and how it is written. */
type Fields = readonly (readonly [string, string, Print])[];

const text: Print = (value) => json(typeof value === 'string' ? value : '');
const flag: Print = (value) => String(value === true);
const count: Print = (value) => json(value ?? 0);
const optional: Print = (value) => json(value ?? null);

const columns: Fields = [
  ['Name', 'name', text],
  ['Type', 'type', text],
  ['Format', 'format', text],
  ['Description', 'description', text],
  ['Priority', 'priority', count],
  ['JSONPath', 'jsonPath', text],
];
const scale: Fields = [
  ['SpecReplicasPath', 'specReplicasPath', text],
  ['StatusReplicasPath', 'statusReplicasPath', text],
  ['LabelSelectorPath', 'labelSelectorPath', optional],
];
const subresources: Fields = [
  ['Status', 'status', optional],
  ['Scale', 'scale', struct(() => scale)],
];
const documentation: Fields = [
  ['Description', 'description', text],
  ['URL', 'url', text],
];
const schemas = struct(() => schema);
const schema: Fields = [
  ['ID', 'id', text],
  ['Schema', '$schema', text],
  ['Ref', '$ref', optional],
  ['Description', 'description', text],
  ['Type', 'type', text],
  ['Nullable', 'nullable', flag],
  ['Format', 'format', text],
  ['Title', 'title', text],
  ['Default', 'default', optional],
  ['Maximum', 'maximum', optional],
  ['ExclusiveMaximum', 'exclusiveMaximum', flag],
  ['Minimum', 'minimum', optional],
  ['ExclusiveMinimum', 'exclusiveMinimum', flag],
  ['MaxLength', 'maxLength', optional],
  ['MinLength', 'minLength', optional],
  ['Pattern', 'pattern', text],
  ['MaxItems', 'maxItems', optional],
  ['MinItems', 'minItems', optional],
  ['UniqueItems', 'uniqueItems', flag],
  ['MultipleOf', 'multipleOf', optional],
  ['Enum', 'enum', optional],
  ['MaxProperties', 'maxProperties', optional],
  ['MinProperties', 'minProperties', optional],
  ['Required', 'required', optional],
  ['Items', 'items', (value) => (isObject(value) ? `{"Schema":${schemas(value)},"JSONSchemas":null}` : 'null')],
  ['AllOf', 'allOf', list(schemas)],
  ['OneOf', 'oneOf', list(schemas)],
  ['AnyOf', 'anyOf', list(schemas)],
  ['Not', 'not', schemas],
  ['Properties', 'properties', map(schemas)],
  ['AdditionalProperties', 'additionalProperties', schemaOrFlag],
  ['PatternProperties', 'patternProperties', map(schemas)],
  ['Dependencies', 'dependencies', optional],
  ['AdditionalItems', 'additionalItems', schemaOrFlag],
  ['Definitions', 'definitions', map(schemas)],
  ['ExternalDocs', 'externalDocs', struct(() => documentation)],
  ['Example', 'example', optional],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', optional],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', flag],
  ['XIntOrString', 'x-kubernetes-int-or-string', flag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', optional],
  ['XListType', 'x-kubernetes-list-type', optional],
  ['XMapType', 'x-kubernetes-map-type', optional],
  ['XValidations', 'x-kubernetes-validations', list((value) => ruleText(value as ValidationRule))],
];
const versions: Fields = [
  ['Name', 'name', text],
  ['Served', 'served', flag],
  ['Storage', 'storage', flag],
  ['Deprecated', 'deprecated', flag],
  ['DeprecationWarning', 'deprecationWarning', optional],
  ['Schema', 'schema', struct(() => [['OpenAPIV3Schema', 'openAPIV3Schema', schemas]])],
  ['Subresources', 'subresources', struct(() => subresources)],
  ['AdditionalPrinterColumns', 'additionalPrinterColumns', list(struct(() => columns))],
  ['SelectableFields', 'selectableFields', list(struct(() => [['JSONPath', 'jsonPath', text]]))],
];

/** The text of versions in an error: every field of the server's own type, in its order. */
export const versionsText: Print = list(struct(() => versions));

/** The text of a schema in an error. */
export const schemaText: Print = schemas;

/** The names of the fields that a schema sets, as the server's own type has them, in its order. */
export function setFields(value: JsonObject): readonly string[] {
  return schema.filter(([, field, print]) => print(value[field]) !== print(undefined)).map(([name]) => name);
}

function struct(fields: () => Fields): Print {
  return (value) => {
    if (!isObject(value)) return 'null';
    return `{${fields()
      .map(([name, field, print]) => `"${name}":${print(value[field])}`)
      .join(',')}}`;
  };
}

function list(print: Print): Print {
  return (value) => (Array.isArray(value) && value.length > 0 ? `[${value.map(print).join(',')}]` : 'null');
}

function map(print: Print): Print {
  return (value) => {
    if (!isObject(value)) return 'null';
    const keys = Object.keys(value).toSorted();
    return `{${keys.map((key) => `${json(key)}:${print(value[key])}`).join(',')}}`;
  };
}

function schemaOrFlag(value: unknown): string {
  if (value === undefined) return 'null';
  return isObject(value) ? `{"Allows":true,"Schema":${schemas(value)}}` : `{"Allows":${value === true},"Schema":null}`;
}

/** JSON as Go writes it, which field errors do. */
function json(value: unknown): string {
  const shown = fieldErrors.duplicate('', [value]).message;
  return shown.slice('Duplicate value: ['.length, -1);
}
