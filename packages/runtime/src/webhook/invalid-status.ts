import type { Violation } from '@kubewright/api';
import type { Status } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { maskFieldErrors, MASK } from '@kubewright/api/secrets';

/** The first words of the message of each reason, as in the API server. Only these reasons show the value. */
const TITLES = {
  FieldValueInvalid: 'Invalid value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueNotFound: 'Not found',
} as const;
const VALUELESS = {
  FieldValueRequired: 'Required value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
} as const;

/** The object with the violations. */
export interface InvalidObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly object: unknown;
}

/**
 * Returns the status 422 of an object with violations, in the wording of the API server. kubectl prints the causes of the status. Masks the
 * values of secret fields.
 */
export function invalidStatus({ group, kind, name, object }: InvalidObject, violations: readonly Violation[]): Status {
  const causes = violations.map((violation) => causeOf(violation, object, group === '' && kind === 'Secret'));
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'Invalid',
    code: 422,
    message: `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${all}`,
    details: { name, ...(group !== '' && { group }), kind, causes },
  };
}

function causeOf(violation: Violation, object: unknown, isSecret: boolean): FieldError {
  const { field, message, reason = 'FieldValueInvalid' } = violation;
  if (reason in VALUELESS) {
    const title = VALUELESS[reason as keyof typeof VALUELESS];
    return { reason, field: fieldOf(field), message: message === '' ? title : `${title}: ${message}` };
  }
  const given = 'value' in violation ? violation.value : valueOf(object, field);
  // `invalid` renders the value like the API server. The first words of other reasons replace those of `invalid`.
  const cause = fieldErrors.invalid(field, isSecret ? MASK : (given ?? null), message);
  const title = TITLES[reason as keyof typeof TITLES];
  const text = `${title}${cause.message.slice(TITLES.FieldValueInvalid.length)}`;
  return { reason, field: cause.field, message: maskFieldErrors(text, undefined, field) };
}
function fieldOf(field: string): string {
  return field === '' ? '<nil>' : field;
}

/**
 * Returns the value at a path such as `spec.ports[0].name` or `metadata.labels[app.kubernetes.io/name]`. Returns undefined if there is
 * none.
 */
export function valueOf(object: unknown, field: string): unknown {
  let value = object;
  for (const [, inBrackets, name] of field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    const key = inBrackets ?? name ?? '';
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isJsonObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}
