import { Breaks } from '../apply/breaks.js';
import { finish, type Steps } from '../apply/steps.js';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../names/dns-names.js';
import { labelValueErrors, qualifiedNameErrors } from '../names/label-names.js';
import { append } from '../objects/append.js';
import type { FieldError } from './field-error.js';
import { fieldErrors } from './field-errors.js';
import { isJsonMap, type JsonMap } from './json-shape.js';
import { managedFieldsErrors } from './validate-managed-fields.js';
import { ownerReferenceErrors } from './validate-owner-references.js';

/** The validation rules for the metadata of a kind. */
export interface ObjectMetaRules {
  /** Whether the kind is namespaced. */
  readonly namespaced: boolean;
  /** The field of the metadata. @default 'metadata' */
  readonly path?: string;
  /** Returns the errors in a name, or in the prefix of a generated name. @default an RFC 1123 subdomain */
  readonly nameErrors?: (name: string, prefix: boolean) => readonly string[];
}

const ANNOTATIONS_LIMIT = 256 * 1024;

/**
 * Returns the errors in the metadata of a new object, in the wording of the API server: names, namespace, labels, annotations, owner
 * references, finalizers, managed fields. The name must already be generated.
 */
export function validateObjectMeta(metadata: unknown, rules: ObjectMetaRules): FieldError[] {
  return finish(validateObjectMetaSteps(metadata, rules));
}

/** Validates metadata in steps. */
export function* validateObjectMetaSteps(metadata: unknown, rules: ObjectMetaRules): Steps<FieldError[]> {
  const { path = 'metadata', nameErrors = subdomainErrors, namespaced } = rules;
  if (!isJsonMap(metadata)) return [fieldErrors.required(path)];
  const errors = [
    ...nameFieldErrors(metadata, path, nameErrors),
    ...namespaceErrors(text(metadata.namespace), namespaced, `${path}.namespace`),
    ...generationErrors(metadata.generation, `${path}.generation`),
  ];
  append(errors, yield* labelErrorsSteps(metadata.labels, `${path}.labels`));
  append(errors, annotationErrors(metadata.annotations, `${path}.annotations`));
  yield;
  append(errors, yield* ownerReferenceErrors(metadata.ownerReferences, `${path}.ownerReferences`));
  append(errors, finalizerErrors(metadata.finalizers, `${path}.finalizers`));
  yield;
  append(errors, managedFieldsErrors(metadata.managedFields, `${path}.managedFields`));
  yield;
  return errors;
}

// A `generateName` can end in a dash, because random characters follow.
function subdomainErrors(name: string, prefix: boolean): readonly string[] {
  const whole = prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
  return dns1123SubdomainErrors(whole);
}

function nameFieldErrors(
  metadata: JsonMap,
  path: string,
  nameErrors: NonNullable<ObjectMetaRules['nameErrors']>,
): readonly FieldError[] {
  const name = text(metadata.name);
  const prefix = text(metadata.generateName);
  const errors: FieldError[] = [];
  if (prefix !== '') {
    for (const detail of nameErrors(prefix, true)) {
      errors.push(fieldErrors.invalid(`${path}.generateName`, prefix, detail));
    }
  }
  if (name === '') return [...errors, fieldErrors.required(`${path}.name`, 'name or generateName is required')];
  return [...errors, ...nameErrors(name, false).map((detail) => fieldErrors.invalid(`${path}.name`, name, detail))];
}

function namespaceErrors(namespace: string, namespaced: boolean, path: string): readonly FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [fieldErrors.forbidden(path, 'not allowed on this type')];
  if (namespace === '') return [fieldErrors.required(path)];
  return dns1123LabelErrors(namespace).map((detail) => fieldErrors.invalid(path, namespace, detail));
}

function generationErrors(generation: unknown, path: string): readonly FieldError[] {
  const negative = typeof generation === 'number' && generation < 0;
  return negative ? [fieldErrors.invalid(path, generation, 'must be greater than or equal to 0')] : [];
}

/** Returns the errors in labels. */
export function labelErrors(labels: unknown, path: string): readonly FieldError[] {
  return finish(labelErrorsSteps(labels, path));
}

function* labelErrorsSteps(labels: unknown, path: string): Steps<readonly FieldError[]> {
  if (!isJsonMap(labels)) return [];
  const errors: FieldError[] = [];
  const breaks = new Breaks();
  for (const [key, value] of Object.entries(labels)) {
    for (const detail of qualifiedNameErrors(key)) errors.push(fieldErrors.invalid(path, key, detail));
    for (const detail of labelValueErrors(text(value))) errors.push(fieldErrors.invalid(path, value, detail));
    if (breaks.isDue()) yield;
  }
  return errors;
}

/** Returns the errors in annotations. */
export function annotationErrors(annotations: unknown, path: string): readonly FieldError[] {
  if (!isJsonMap(annotations)) return [];
  let size = 0;
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(text(value));
    for (const detail of qualifiedNameErrors(key.toLowerCase())) errors.push(fieldErrors.invalid(path, key, detail));
  }
  if (size > ANNOTATIONS_LIMIT) errors.push(fieldErrors.tooLong(path, ANNOTATIONS_LIMIT));
  return errors;
}

function finalizerErrors(finalizers: unknown, path: string): readonly FieldError[] {
  if (!Array.isArray(finalizers)) return [];
  const names = finalizers.map(text);
  const errors = names.flatMap((name) =>
    qualifiedNameErrors(name).map((detail) => fieldErrors.invalid(path, name, detail)),
  );
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    errors.push(fieldErrors.invalid(path, names, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
