const MAX_LENGTH = 100;

/**
 * Returns a short description of an invalid value, for an error message. Quotes strings, and shortens long strings. For an object, shows
 * the names of its fields without their values, because the values may be secret.
 *
 * @example
 * valueText({ name: 'web', port: 80 }); // { name: …, port: … }
 */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return `'${shortened(value)}'`;
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${shortened(value.name)}`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return itemsText(value);
  const className = classNameOf(value);
  return className === undefined ? fieldsText(Object.keys(value)) : `an instance of ${shortened(className)}`;
}

function itemsText(items: readonly unknown[]): string {
  const texts = items.map((item) => (typeof item === 'object' && item !== null ? '…' : valueText(item)));
  return `[${shortened(texts.join(', '))}]`;
}

/** Returns undefined for a plain object. */
function classNameOf(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const { name } = value.constructor;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function fieldsText(names: readonly string[]): string {
  if (names.length === 0) return 'an empty object';
  return `{ ${shortened(names.map((name) => `${name}: …`).join(', '))} }`;
}

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}
