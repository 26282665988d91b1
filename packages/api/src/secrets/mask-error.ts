import { maskSecretFields } from './map-secret-fields.js';
import { maskText } from './mask-text.js';

/** The maximum length of a chain of causes that is masked. A longer chain is a cycle. */
const LONGEST_CHAIN = 20;
/** The maximum depth of the properties that are copied. Node.js prints fewer levels of the properties of an error. */
const DEEPEST = 6;

/**
 * Masks an error in place, with its causes and its aggregated errors. Masks each text with `maskText`. Replaces objects in properties with
 * masked plain copies, and an object that is not plain data with its class name.
 *
 * @returns whether the error could be changed; false if it is frozen
 */
export function maskErrorInPlace(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > LONGEST_CHAIN) return true;
  let masked = true;
  for (const name of Object.getOwnPropertyNames(error)) {
    const value = (error as unknown as Readonly<Record<string, unknown>>)[name];
    const errors = [value].flat().filter((each) => each instanceof Error);
    for (const each of errors) masked = maskErrorInPlace(each, depth + 1) && masked;
    const shown = errors.length > 0 ? value : maskTexts(value);
    if (shown !== value) masked = Reflect.defineProperty(error, name, { value: shown }) && masked;
  }
  return masked;
}

/**
 * Returns a plain copy of a value in which the secret fields, and the credentials in each text, are masked. Objects deeper than six levels,
 * objects that contain themselves, and objects that are not plain data become a placeholder.
 */
export function maskTexts(value: unknown): unknown {
  return maskSecretFields(plain(value, []));
}

function plain(value: unknown, ancestors: readonly unknown[]): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain || ancestors.length >= DEEPEST || ancestors.includes(value))
    return `[${value.constructor?.name ?? 'Object'}]`;
  const inside = [...ancestors, value];
  if (Array.isArray(value)) return value.map((item) => plain(item, inside));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member, inside)]));
}
