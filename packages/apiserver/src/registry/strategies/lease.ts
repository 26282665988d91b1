import { fieldErrors, type FieldError } from '@kubewright/api/schema';
import { age } from '../age.js';
import { objectAt, stringAt } from '../json-object.js';
import type { Strategy } from '../strategy.js';
import { minimum } from './pod-spec-validation.js';

/** Leases: always written with the version that was read, since they decide who leads. */
export const leaseStrategy: Partial<Strategy> = {
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  validate: (lease) => {
    const spec = objectAt(lease, 'spec');
    const errors: FieldError[] = [...minimum(spec, 'leaseTransitions', { path: 'spec', least: 0 })];
    const seconds = spec['leaseDurationSeconds'];
    if (typeof seconds === 'number' && seconds <= 0) {
      errors.push(fieldErrors.invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
    }
    return errors;
  },
  cells: (lease, now) => [
    lease.metadata.name,
    stringAt(lease, 'spec', 'holderIdentity'),
    age(lease.metadata.creationTimestamp, now),
  ],
};
