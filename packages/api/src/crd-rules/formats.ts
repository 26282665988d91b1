import { isObject, objectsAt, stringAt, valueAt } from '../json/value-at.js';
import type { UncheckedDefinition } from './unchecked-definition.js';

/** The string formats that the API server validates, without hyphens. The names are those of go-openapi. */
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

/** Returns the formats in the schemas of a definition that the API server does not recognize and does not validate. */
export function unrecognizedFormats(crd: UncheckedDefinition): readonly string[] {
  const found: string[] = [];
  for (const version of objectsAt(crd, 'spec', 'versions')) {
    collectUnknown(valueAt(version, 'schema', 'openAPIV3Schema'), found);
  }
  return found;
}

function collectUnknown(schema: unknown, found: string[]): void {
  if (!isObject(schema)) return;
  const format = stringAt(schema, 'format');
  if (format !== '' && !isKnown(format, stringAt(schema, 'type'))) found.push(format);
  collectUnknown(schema['items'], found);
  for (const field of ['allOf', 'anyOf', 'oneOf']) {
    const nested = schema[field];
    if (Array.isArray(nested)) for (const each of nested) collectUnknown(each, found);
  }
  collectUnknown(schema['not'], found);
  const { properties } = schema;
  if (isObject(properties)) for (const key of Object.keys(properties)) collectUnknown(properties[key], found);
  collectUnknown(schema['additionalProperties'], found);
}

function isKnown(format: string, type: string): boolean {
  if (type === '' || type === 'string') return textFormats.has(format.replaceAll('-', ''));
  if (type === 'integer') return format === 'int32' || format === 'int64';
  return type === 'number' && (format === 'float' || format === 'double');
}
