import type { KubeObject } from '@kubewright/api';
import { type FieldSelector, parseFieldSelector } from '@kubewright/api/selectors';

/** Returns the field selector as text for the API; undefined for all objects. Throws INVALID_SELECTOR. */
export function fieldSelectorText(fields: Readonly<Record<string, string>> | string | undefined): string | undefined {
  const text = typeof fields === 'object' ? equalFields(fields) : fields;
  if (text === undefined) return undefined;
  const selector = parseFieldSelector(text);
  return selector.empty ? undefined : selector.toString();
}

/** Returns a test for a field selector. The test reads the fields of the object, and treats a missing field as empty. */
export function fieldMatcher(text: string | undefined): (object: KubeObject) => boolean {
  if (text === undefined) return () => true;
  const selector = parseFieldSelector(text);
  return (object) => selector.matches((field) => fieldOf(object, field));
}

/** Returns the fields that a selector requires to equal a value. Ignores other requirements. */
export function exactFields(text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const { requirements }: FieldSelector = parseFieldSelector(text);
  return new Map(requirements.filter(({ operator }) => operator === '=').map(({ field, value }) => [field, value]));
}

/** Returns a selector that combines both selectors. */
export function bothSelectors(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || a === b) return b;
  return b === undefined ? a : `${a},${b}`;
}

function equalFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([path, value]) => `${path}=${value.replace(/[\\,=]/g, '\\$&')}`)
    .join(',');
}

function fieldOf(object: KubeObject, field: string): string {
  let value: unknown = object;
  for (const key of field.split('.')) {
    if (typeof value !== 'object' || value === null) return '';
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
