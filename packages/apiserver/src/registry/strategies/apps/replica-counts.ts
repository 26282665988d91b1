import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject } from '../../objects/api-object.js';
import { numberAt, objectAt } from '../../objects/json-object.js';
import { notNegative } from '../rules/field-checks.js';

/** Returns the errors of the counts in the status of a workload: negative counts, and counts that exceed `replicas` or `readyReplicas`. */
export function replicaCountErrors(
  object: ApiObject,
  {
    counts,
    parts,
    ready = 'readyReplicas',
  }: {
    readonly counts: readonly string[];
    /** The counts that must not exceed `replicas`. */
    readonly parts: readonly string[];
    /** The name of `readyReplicas` in the error text. @default 'readyReplicas' */
    readonly ready?: string;
  },
): readonly FieldError[] {
  const status = objectAt(object, 'status');
  const count = (field: string): number => numberAt(status, field) ?? 0;
  const errors = [...notNegative(status, 'status', ...counts)];
  for (const field of parts) {
    if (count(field) <= count('replicas')) continue;
    errors.push(fieldErrors.invalid(`status.${field}`, count(field), 'cannot be greater than status.replicas'));
  }
  if (count('availableReplicas') > count('readyReplicas')) {
    const why = `cannot be greater than ${ready}`;
    errors.push(fieldErrors.invalid('status.availableReplicas', count('availableReplicas'), why));
  }
  return errors;
}
