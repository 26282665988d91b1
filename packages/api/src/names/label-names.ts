import { dns1123SubdomainErrors } from './dns-names.js';
import { byteLength, patternText, tooLongText } from './rule-text.js';

const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const namePattern = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const valuePattern = /^(?:(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const nameRule = patternText(RULE, NAME, ['MyName', 'my.name', '123-abc']);
const namePartRule = `name part ${nameRule}`;
const keyRule = `a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
const valueRule = patternText(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  `(${NAME})?`,
  ['MyValue', 'my_value', '12345'],
);

/**
 * Returns the errors in a qualified name (label and annotation keys, finalizers): `[prefix/]name`. Returns an empty list for a valid name.
 */
export function qualifiedNameErrors(key: string): string[] {
  const slash = key.indexOf('/');
  if (slash !== key.lastIndexOf('/')) return [keyRule];
  const name = key.slice(slash + 1);
  const errors = slash < 0 ? [] : prefixErrors(key.slice(0, slash));
  if (name === '') errors.push('name part must be non-empty');
  else if (byteLength(name) > 63) errors.push(`name part ${tooLongText(63, 'bytes')}`);
  if (!namePattern.test(name)) errors.push(namePartRule);
  return errors;
}

function prefixErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return dns1123SubdomainErrors(prefix).map((text) => `prefix part ${text}`);
}

/** Returns the errors in `value` as a label value. Returns an empty list for a valid value. */
export function labelValueErrors(value: string): string[] {
  const errors = byteLength(value) > 63 ? [tooLongText(63, 'bytes')] : [];
  if (valuePattern.test(value)) return errors;
  return [...errors, valueRule];
}
