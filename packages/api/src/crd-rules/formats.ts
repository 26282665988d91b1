import { isObject, objectAt, objectsAt, stringAt, valueAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';
import type { UncheckedDefinition } from './unchecked-definition.js';

/** The formats of texts that the server checks, without hyphens; the names are those of go-openapi. */
const textFormats: ReadonlySet<string> = new Set([
  'bsonobjectid',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'cidr',
  'mac',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
  'byte',
  'password',
  'date',
  'duration',
  'datetime',
  'k8sshortname',
  'k8slongname',
]);

/** The formats in a definition's schemas that the server does not know, and so does not check. */
export function unrecognizedFormats(crd: UncheckedDefinition): readonly string[] {
  return objectsAt(crd, 'spec', 'versions').flatMap((version) =>
    unknownWithin(valueAt(version, 'schema', 'openAPIV3Schema')),
  );
}

function unknownWithin(schema: unknown): readonly string[] {
  if (!isObject(schema)) return [];
  const format = stringAt(schema, 'format');
  const own = format === '' || isKnown(format, stringAt(schema, 'type')) ? [] : [format];
  return [...own, ...nested(schema).flatMap(unknownWithin)];
}

function isKnown(format: string, type: string): boolean {
  if (type === '' || type === 'string') return textFormats.has(format.replaceAll('-', ''));
  if (type === 'integer') return format === 'int32' || format === 'int64';
  return type === 'number' && (format === 'float' || format === 'double');
}

function nested(schema: JsonObject): readonly unknown[] {
  return [
    schema['items'],
    ...['allOf', 'anyOf', 'oneOf'].flatMap((field) => objectsAt(schema, field)),
    schema['not'],
    ...Object.values(objectAt(schema, 'properties')),
    schema['additionalProperties'],
  ];
}
