import { mapSecretFields, type SecretRules, type SecretText } from './map-secret-fields.js';
import { MASK } from './secret-name.js';

/** The minimum length of a masked value. Shorter values occur in too many other words. */
const SHORTEST = 6;
/** In a value with several lines, each line of at least this length is masked, too. */
const SHORTEST_LINE = 16;
/** Keys of Secrets whose values are not secret and are often ordinary words. */
const PUBLIC_KEY =
  /^(?:user(?:[._-]?name)?|host(?:[._-]?name)?|port|namespace|database|db(?:[._-]?name)?|type|provider|engine|region|email|ca\.crt|tls\.crt|service-ca\.crt)$/i;

/**
 * Returns the values of the secret fields of an object or a patch. Decodes the values of a Secret. For a value with several lines, also
 * returns each line of at least 16 characters. Omits values of keys such as `username` and `tls.crt`, and single-line values of fewer than
 * six characters.
 */
export function secretValuesIn(value: unknown, rules: SecretRules = {}): readonly string[] {
  const values = new Set<string>();
  mapSecretFields(value, rules, (secret) => {
    for (const each of (secret.parts ?? [secret]).flatMap(valuesOf)) values.add(each);
    return undefined;
  });
  return [...values];
}

/**
 * Returns a function that masks each of the values in a text: as plain text, escaped for JSON, URL-encoded, or in base64. A value
 * within a longer word is not masked.
 */
export function maskerOf(values: readonly string[]): (text: string) => string {
  const forms = [...new Set(values.flatMap(formsOf))].toSorted((one, other) => other.length - one.length);
  return (text) => forms.reduce(withoutWord, text);
}

function valuesOf({ text, name, isBase64 }: SecretText): readonly string[] {
  if (PUBLIC_KEY.test(name)) return [];
  const value = (isBase64 ? Buffer.from(text, 'base64').toString('utf8') : text).trim();
  if (!value.includes('\n')) return value.length < SHORTEST ? [] : [value];
  const lines = value.split('\n').map((line) => line.trim());
  return [value, ...lines.filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----'))];
}

function formsOf(value: string): readonly string[] {
  const escaped = JSON.stringify(value).slice(1, -1);
  const bytes = Buffer.from(value);
  const encoded = [encodeURIComponent(bytes.toString('utf8')), bytes.toString('base64'), bytes.toString('base64url')];
  return [value, escaped, JSON.stringify(escaped).slice(1, -1), ...encoded];
}

function withoutWord(text: string, word: string): string {
  let result = '';
  let copied = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (at < copied || isWithinWord(text, at, end)) continue;
    result += text.slice(copied, at) + MASK;
    copied = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}
function isWithinWord(text: string, at: number, end: number): boolean {
  const joined = (index: number): boolean => /^[A-Za-z0-9]{2}$/.test(text.slice(index - 1, index + 1));
  return (at > 0 && joined(at)) || joined(end);
}
