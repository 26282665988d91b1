import { Breaks } from '../apply/breaks.js';
import type { Steps } from '../apply/steps.js';
import { append } from '../objects/append.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { goJson } from './go-text.js';
import { isJsonMap, type JsonMap } from './json-shape.js';

const fieldsInOrder = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'] as const;

/** Returns in steps the errors of a list of owners: each names its owner in full, and at most one is the controller. */
export function* ownerReferenceErrors(references: unknown, path: string): Steps<readonly FieldError[]> {
  if (!Array.isArray(references)) return [];
  const errors: FieldError[] = [];
  let controller: string | undefined;
  let all: string | undefined;
  const breaks = new Breaks();
  for (const reference of references.filter(isJsonMap)) {
    if (breaks.isDue()) yield;
    append(errors, referenceErrors(reference, path));
    if (reference.controller !== true) continue;
    const name = `${String(reference.kind)}/${String(reference.name)}`;
    if (controller === undefined) controller = name;
    else {
      const says = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      // Each of these errors shows all references.
      all ??= `[${references.map(shown).join(',')}]`;
      errors.push(invalid(path, all, says));
    }
  }
  return errors;
}

function referenceErrors(reference: JsonMap, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = textOf(reference.apiVersion);
  const parts = apiVersion.split('/');
  if (parts.length > 2 || (parts.at(-1) ?? '') === '') {
    errors.push(fieldErrors.invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
  }
  for (const field of ['kind', 'name', 'uid'] as const) {
    const value = textOf(reference[field]);
    if (value === '') errors.push(fieldErrors.invalid(`${path}.${field}`, value, 'must not be empty'));
  }
  if (apiVersion === 'v1' && reference.kind === 'Event') {
    errors.push(invalid(path, shown(reference), '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

/** A reference as a server shows it: its fields in the order of their declaration. */
function shown(reference: unknown): string {
  const fields = isJsonMap(reference) ? reference : {};
  const set = fieldsInOrder.filter((field) => fields[field] !== undefined);
  return `{${set.map((field) => `"${field}":${goJson(fields[field])}`).join(',')}}`;
}

function invalid(field: string, value: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${value}: ${detail}` };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
