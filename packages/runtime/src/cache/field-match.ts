import type { KubeObject } from '@kubewright/api';
import { type FieldSelector, parseFieldSelector } from '@kubewright/api/selectors';

/** Fields as the API wants to have them; undefined when all objects are meant. Throws INVALID_SELECTOR. */
export function fieldSelectorText(fields: Readonly<Record<string, string>> | string | undefined): string | undefined {
  const text = typeof fields === 'object' ? equalFields(fields) : fields;
  if (text === undefined) return undefined;
  const selector = parseFieldSelector(text);
  return selector.empty ? undefined : selector.toString();
}

/** Whether an object has such fields, as far as it tells. A field that is not there counts as empty. */
export function fieldMatcher(text: string | undefined): (object: KubeObject) => boolean {
  if (text === undefined) return () => true;
  const selector = parseFieldSelector(text);
  return (object) => selector.matches((field) => fieldOf(object, field));
}

/** The fields that a selector wants to be equal to a value; empty for one that wants nothing, or only that fields differ. */
export function exactFields(text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const { requirements }: FieldSelector = parseFieldSelector(text);
  return new Map(requirements.filter(({ operator }) => operator === '=').map(({ field, value }) => [field, value]));
}

/** Both of two selectors. */
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
