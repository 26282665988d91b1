import type { KubeObject } from '@kubewright/api';
import { type FieldSelector, parseFieldSelector } from '@kubewright/api/selectors';

/**
 * Returns a field selector in the syntax of the API. Returns undefined if all objects are selected. Throws INVALID_SELECTOR if the selector
 * is not valid.
 */
export function fieldSelectorText(fields: Readonly<Record<string, string>> | string | undefined): string | undefined {
  const text = typeof fields === 'object' ? equalFields(fields) : fields;
  if (text === undefined) return undefined;
  const selector = parseFieldSelector(text);
  return selector.empty ? undefined : selector.toString();
}

/** Returns a function that tests whether an object matches a field selector. A missing field is treated like an empty string. */
export function fieldMatcher(text: string | undefined): (object: KubeObject) => boolean {
  if (text === undefined) return () => true;
  const selector = parseFieldSelector(text);
  return (object) => selector.matches((field) => fieldOf(object, field));
}

/** Returns the fields for which a selector requires a single value, with these values. Ignores other requirements. */
export function exactFields(text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const { requirements }: FieldSelector = parseFieldSelector(text);
  return new Map(requirements.filter(({ operator }) => operator === '=').map(({ field, value }) => [field, value]));
}

/** Returns a selector for the objects that match both selectors. */
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
