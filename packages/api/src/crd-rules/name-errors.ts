import { dns1035LabelErrors, dns1123SubdomainErrors } from '../names/dns-names.js';
import type { FieldError } from '../schema/field-error.js';
import { fieldErrors } from '../schema/field-errors.js';
import { stringAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';
import type { UncheckedDefinition } from './unchecked-definition.js';

const approval = 'api-approved.kubernetes.io';
const approvalHelp = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Returns the errors in the group of a definition. */
export function groupErrors(group: string): readonly FieldError[] {
  if (group === '') return [fieldErrors.required('spec.group')];
  const errors = dns1123SubdomainErrors(group);
  if (errors.length > 0) return [fieldErrors.invalid('spec.group', group, errors.join(','))];
  if (group.includes('.')) return [];
  return [fieldErrors.invalid('spec.group', group, 'should be a domain with at least one dot')];
}

/** Returns an error for each required name that is missing. */
export function missingNames(names: JsonObject): readonly FieldError[] {
  const missing = ['plural', 'singular', 'kind', 'listKind'].filter((field) => stringAt(names, field) === '');
  return missing.map((field) => fieldErrors.required(`spec.names.${field}`));
}

/** Returns an error for each invalid name at a path, and an error if `kind` and `listKind` are the same. */
export function nameErrors(names: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, name: string, mixedCase: boolean): void => {
    const found = dns1035LabelErrors(mixedCase ? name.toLowerCase() : name);
    if (found.length === 0) return;
    const prefix = mixedCase ? 'may have mixed case, but should otherwise match: ' : '';
    errors.push(fieldErrors.invalid(`${path}.${field}`, name, `${prefix}${found.join(',')}`));
  };
  const single = (field: string, mixedCase: boolean): void => {
    const name = stringAt(names, field);
    if (name !== '') check(field, name, mixedCase);
  };
  const several = (field: string): void => {
    const listed = names[field];
    for (const [index, name] of (Array.isArray(listed) ? listed : []).entries()) {
      check(`${field}[${index}]`, String(name), false);
    }
  };
  single('plural', false);
  single('singular', false);
  single('kind', true);
  single('listKind', true);
  several('shortNames');
  const { kind, listKind } = names;
  if (kind && kind === listKind) {
    errors.push(fieldErrors.invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same'));
  }
  several('categories');
  return errors;
}

/**
 * Returns the errors in the approval annotation. A definition in a group of the Kubernetes project needs the annotation: a link to the
 * approval of the API, or a value that starts with "unapproved". An update does not need to correct an annotation that was already missing
 * or invalid.
 */
export function approvalErrors(next: UncheckedDefinition, old: UncheckedDefinition | undefined): readonly FieldError[] {
  const group = stringAt(next, 'spec', 'group');
  const isProtected = ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
  if (!isProtected) return [];
  const state = approvalState(next);
  if (state === 'given' || (old !== undefined && approvalState(old) === state)) return [];
  const path = `metadata.annotations[${approval}]`;
  const needed = `protected groups must have approval annotation "${approval}"`;
  if (state === 'missing') return [fieldErrors.required(path, `${needed}, ${approvalHelp}`)];
  const why = `${needed} with either a URL or a reason starting with "unapproved", ${approvalHelp}`;
  return [fieldErrors.invalid(path, next.metadata.annotations?.[approval], why)];
}

function approvalState({ metadata }: UncheckedDefinition): 'given' | 'missing' | 'invalid' {
  const value = metadata.annotations?.[approval] ?? '';
  if (value === '') return 'missing';
  return value.startsWith('unapproved') || /^[a-z][a-z0-9+.-]*:\/\/[^/]+/i.test(value) ? 'given' : 'invalid';
}
