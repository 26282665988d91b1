import { isIP } from 'node:net';
import { dns1123LabelErrors, dns1123SubdomainErrors, qualifiedNameErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { isObject } from '../../../objects/json-object.js';

const largestInt32 = 2 ** 31 - 1;
const underscoredLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

/** Returns the error text for a number out of range. */
export function rangeText(least: number, most: number): string {
  return `must be between ${least} and ${most}, inclusive`;
}

/** Returns the error texts of a port name. */
export function portNameErrors(name: string): readonly string[] {
  const errors: string[] = [];
  if (name.length > 15) errors.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) errors.push('must contain at least one letter (a-z)');
  if (name.includes('--')) errors.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** Returns the error texts of an environment variable name. */
export function variableNameErrors(name: string): readonly string[] {
  if (name === '') return ['environment variable name must be non-empty'];
  const why = "a valid environment variable name must consist only of printable ASCII characters other than '='";
  return /^[\x20-\x3c\x3e-\x7e]*$/.test(name) ? [] : [why];
}

/** Applies a rule that returns error texts, and returns these texts as field errors. Returns no errors for an empty text. */
export function unlessEmpty(
  text: string,
  path: string,
  rule: (text: string) => readonly string[],
): readonly FieldError[] {
  return text === '' ? [] : each(text, path, rule);
}

/** Returns one field error for each error message that the rule returns for the text. */
export function each(text: string, path: string, rule: (text: string) => readonly string[]): readonly FieldError[] {
  return rule(text).map((why) => fieldErrors.invalid(path, text, why));
}

/** Returns the errors of a text that must be a DNS label. */
export function labelNameErrors(text: string, path: string): readonly FieldError[] {
  return each(text, path, dns1123LabelErrors);
}

/** Returns the errors of a text that must be a DNS subdomain. */
export function subdomainErrors(text: string, path: string): readonly FieldError[] {
  return each(text, path, dns1123SubdomainErrors);
}

/** Returns the error texts of a DNS search domain, which can contain underscores. */
export function searchDomainErrors(domain: string): readonly string[] {
  const pattern = `${underscoredLabel}(\\.${underscoredLabel})*`;
  if (new RegExp(`^${pattern}$`).test(domain)) return [];
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start " +
    'and end with an alphanumeric character';
  return [`${rule} (e.g. 'example.com', regex used for validation is '${pattern}')`];
}

/** Returns the errors of a text that must be a qualified name. */
export function qualifiedErrors(text: string, path: string): readonly FieldError[] {
  return each(text, path, qualifiedNameErrors);
}

/** Returns the error of a text that must be an IP address. Accepts leading zeros in IPv4 addresses. */
export function ipErrors(text: string, path: string): readonly FieldError[] {
  if (isIP(text) !== 0 || isIP(text.replace(/(^|\.)0+(?=\d)/g, '$1')) !== 0) return [];
  return [fieldErrors.invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

/** Returns the errors of the user and group IDs in a security context. `fields` names the fields to validate. */
export function identityErrors(context: JsonDraft, path: string, fields: readonly string[]): readonly FieldError[] {
  return fields.flatMap((field) => {
    const value = context[field];
    if (typeof value !== 'number' || (value >= 0 && value <= largestInt32)) return [];
    return [fieldErrors.invalid(`${path}.${field}`, value, rangeText(0, largestInt32))];
  });
}

/** Returns the errors of a path that must be relative and must not contain '..'. */
export function descendingPathErrors(text: string, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (text.startsWith('/')) errors.push(fieldErrors.invalid(path, text, 'must be a relative path'));
  return [...errors, ...backstepErrors(text, path)];
}

/** Returns the errors of the path of a file in a volume. The path must be relative, and must not contain or start with '..'. */
export function ownPathErrors(text: string, path: string): readonly FieldError[] {
  const errors = [...descendingPathErrors(text, path)];
  if (text.startsWith('..') && !text.startsWith('../') && !text.split('/').includes('..')) {
    errors.push(fieldErrors.invalid(path, text, "must not start with '..'"));
  }
  return errors;
}

/** Returns the error of a path that contains '..'. */
export function backstepErrors(text: string, path: string): readonly FieldError[] {
  return text.split('/').includes('..') ? [fieldErrors.invalid(path, text, "must not contain '..'")] : [];
}

/** Returns the error of a file mode. */
export function modeErrors(source: JsonDraft, field: string, path: string): readonly FieldError[] {
  const mode = source[field];
  if (typeof mode !== 'number' || (mode >= 0 && mode <= 0o777)) return [];
  const why = 'must be a number between 0 and 0777 (octal), both inclusive';
  return [fieldErrors.invalid(`${path}.${field}`, mode, why)];
}

/** Returns the error of a field with an unsupported value. `supported` lists the supported values in the order of the error text. */
export function supportedErrors(value: unknown, path: string, supported: readonly string[]): readonly FieldError[] {
  if (value === undefined || supported.includes(String(value))) return [];
  return [fieldErrors.notSupported(path, value, supported)];
}

/** Returns an error for each required field that is unset or empty. */
export function requiredErrors(object: JsonDraft, path: string, fields: readonly string[]): readonly FieldError[] {
  return fields.flatMap((field) => {
    const value = object[field];
    const unset = value === undefined || value === '' || value === null;
    return unset || (isObject(value) && Object.keys(value).length === 0)
      ? [fieldErrors.required(`${path}.${field}`)]
      : [];
  });
}
