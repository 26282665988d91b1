import { Breaks } from '../apply/breaks.js';
import type { Steps } from '../apply/steps.js';
import { append } from '../objects/append.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { goJson } from './go-text.js';
import { isJsonMap, type JsonMap } from './json-shape.js';

const fieldsInOrder = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'] as const;

/** Returns the errors in a list of owner references, in steps. Each reference must be complete, and at most one can be the controller. */
export function* ownerReferenceErrors(references: unknown, path: string): Steps<readonly FieldError[]> {
  if (!Array.isArray(references)) return [];
  const errors: FieldError[] = [];
  let controller: string | undefined;
  let all: string | undefined;
  const breaks = new Breaks();
  const empty = emptyErrors(path);
  for (const reference of references.filter(isJsonMap)) {
    if (breaks.isDue()) yield;
    append(errors, referenceErrors(reference, path, empty));
    if (reference.controller !== true) continue;
    const name = `${String(reference.kind)}/${String(reference.name)}`;
    if (controller === undefined) controller = name;
    else {
      const says = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      // Each of these errors shows all references, so the text is created only once.
      all ??= `[${references.map(shown).join(',')}]`;
      errors.push(invalid(path, all, says));
    }
  }
  return errors;
}

/** Returns the errors for empty fields. All references share these errors, because a list can have 65,536 empty references. */
function emptyErrors(path: string) {
  const empty = (field: string): FieldError => fieldErrors.invalid(`${path}.${field}`, '', 'must not be empty');
  return { apiVersion: versionError('', path), kind: empty('kind'), name: empty('name'), uid: empty('uid') };
}

function versionError(apiVersion: string, path: string): FieldError {
  return fieldErrors.invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty');
}

function referenceErrors(
  reference: JsonMap,
  path: string,
  empty: ReturnType<typeof emptyErrors>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = textOf(reference.apiVersion);
  const parts = apiVersion.split('/');
  if (apiVersion === '') errors.push(empty.apiVersion);
  else if (parts.length > 2 || parts.at(-1) === '') errors.push(versionError(apiVersion, path));
  for (const field of ['kind', 'name', 'uid'] as const) {
    if (textOf(reference[field]) === '') errors.push(empty[field]);
  }
  if (apiVersion === 'v1' && reference.kind === 'Event') {
    errors.push(invalid(path, shown(reference), '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

/** Formats an owner reference as the API server does: fields in the order of their declaration. */
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
