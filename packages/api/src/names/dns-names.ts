import { byteLength, patternText, tooLongText } from './rule-text.js';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const label1035Pattern = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const subdomainPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

const labelRule = patternText(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL,
  ['my-name', '123-abc'],
);
const subdomainRule = patternText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN,
  ['example.com'],
);
const label1035Rule = patternText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  LABEL_1035,
  ['my-name', 'abc-123'],
);

/** Returns the errors in `name` as an RFC 1123 label (namespaces, most short names). Returns an empty list for a valid name. */
export function dns1123LabelErrors(name: string): string[] {
  const errors = byteLength(name) > 63 ? [tooLongText(63, 'characters')] : [];
  if (labelPattern.test(name)) return errors;
  if (subdomainPattern.test(name)) return [...errors, 'must not contain dots'];
  return [...errors, labelRule];
}

/** Returns the errors in `name` as an RFC 1123 subdomain (the name of most objects). Returns an empty list for a valid name. */
export function dns1123SubdomainErrors(name: string): string[] {
  const errors = byteLength(name) > 253 ? [tooLongText(253, 'characters')] : [];
  if (subdomainPattern.test(name)) return errors;
  return [...errors, subdomainRule];
}

/** Returns the errors in `name` as an RFC 1035 label (Services). Returns an empty list for a valid name. */
export function dns1035LabelErrors(name: string): string[] {
  const errors = byteLength(name) > 63 ? [tooLongText(63, 'characters')] : [];
  if (label1035Pattern.test(name)) return errors;
  return [...errors, label1035Rule];
}

/**
 * Returns the errors in `name` as one segment of a URL path (custom resources, RBAC). Set `prefix` to true if more text follows the name,
 * as for `generateName`.
 */
export function pathSegmentErrors(name: string, prefix = false): string[] {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}
