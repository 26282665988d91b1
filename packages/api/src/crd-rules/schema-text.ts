import { fieldErrors } from '../schema/field-errors.js';
import { ruleText } from '../schema/rule-text.js';
import type { ValidationRule } from '../schema/structural-schema.js';
import { isObject } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';

/** The number of structs that can still be printed. Further structs are omitted, because a definition can have tens of thousands. */
interface Room {
  structs: number;
}
/** Prints the value of a field of a Go type of the API server. */
type Print = (value: unknown, room: Room) => string;
/** The fields of a Go type in their order: the Go name, the JSON name, and the printer. */
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
  [
    'Items',
    'items',
    (value, room) => (isObject(value) ? `{"Schema":${schemas(value, room)},"JSONSchemas":null}` : 'null'),
  ],
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

const printVersions = list(struct(() => versions));
const mostStructs = 1000;

/** Returns the versions as printed in an error: every field of the Go type, in its order. The text ends after 1000 structs. */
export function versionsText(value: unknown): string {
  return printVersions(value, { structs: mostStructs });
}

/** Returns a schema as printed in an error. The text ends after 1000 structs. */
export function schemaText(value: unknown): string {
  return schemas(value, { structs: mostStructs });
}

/** Returns the Go names of the fields that a schema sets, in the order of the Go type. */
export function setFields(value: JsonObject): readonly string[] {
  return schema.filter(([, field, print]) => isSet(value[field], print)).map(([name]) => name);
}

function isSet(value: unknown, print: Print): boolean {
  if (isObject(value) || (Array.isArray(value) && value.length > 0)) return true;
  const room = { structs: 1 };
  return print(value, room) !== print(undefined, room);
}

function struct(fields: () => Fields): Print {
  return (value, room) => {
    if (!isObject(value)) return 'null';
    if (room.structs === 0) return '{…}';
    room.structs -= 1;
    return `{${fields()
      .map(([name, field, print]) => `"${name}":${print(value[field], room)}`)
      .join(',')}}`;
  };
}

function list(print: Print): Print {
  return (value, room) =>
    Array.isArray(value) && value.length > 0 ? `[${joined(value, room, (item) => print(item, room))}]` : 'null';
}

function map(print: Print): Print {
  return (value, room) => {
    if (!isObject(value)) return 'null';
    const keys = Object.keys(value).toSorted();
    return `{${joined(keys, room, (key) => `${json(key)}:${print(value[key], room)}`)}}`;
  };
}

function joined<T>(items: readonly T[], room: Room, print: (item: T) => string): string {
  const texts: string[] = [];
  for (const item of items) {
    texts.push(room.structs === 0 ? '…' : print(item));
    if (room.structs === 0) break;
  }
  return texts.join(',');
}

function schemaOrFlag(value: unknown, room: Room): string {
  if (value === undefined) return 'null';
  if (!isObject(value)) return `{"Allows":${value === true},"Schema":null}`;
  return `{"Allows":true,"Schema":${schemas(value, room)}}`;
}

/** Serializes a value as Go serializes JSON in field errors. */
function json(value: unknown): string {
  const shown = fieldErrors.duplicate('', [value]).message;
  return shown.slice('Duplicate value: ['.length, -1);
}
