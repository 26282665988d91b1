import { append } from '@kubewright/api/json';
import { fieldErrors, type FieldError } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, DraftObject } from '../../objects/api-object.js';
import { madeAt, objectAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { notNegative } from '../rules/field-checks.js';

/** The strategy for Leases. An update requires a resourceVersion, because Leases determine the leader. */
export const leaseStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { anyFinalizer: true },
  defaults: (draft) => {
    madeAt(draft, 'spec');
  },
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  prepareForCreate: (draft) => dropElection(draft),
  prepareForUpdate: (draft, old) => dropElection(draft, old),
  validate: leaseErrors,
  validateUpdate: leaseErrors,
  cells: (lease, now) => [
    lease.metadata.name,
    stringAt(lease, 'spec', 'holderIdentity'),
    age(lease.metadata.creationTimestamp, now),
  ],
};

function leaseErrors(lease: ApiObject): readonly FieldError[] {
  const spec = objectAt(lease, 'spec');
  const errors: FieldError[] = [];
  const seconds = spec['leaseDurationSeconds'];
  if (typeof seconds === 'number' && seconds <= 0) {
    errors.push(fieldErrors.invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
  }
  append(errors, notNegative(spec, 'spec', 'leaseTransitions'));
  return errors;
}

/**
 * Removes the fields of coordinated leader election, because their feature gate is off. An update does not remove fields that are already
 * set.
 */
function dropElection(draft: DraftObject, old?: ApiObject): void {
  const spec = madeAt(draft, 'spec');
  for (const field of ['strategy', 'preferredHolder']) {
    if (valueAt(old, 'spec', field) === undefined) delete spec[field];
  }
}
