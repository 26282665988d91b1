import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { madeAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { familyOf, rangeErrors } from '../rules/addresses.js';
import { goStruct } from '../rules/go-text.js';

const path = 'spec.cidrs';
/** The finalizer that keeps a ServiceCIDR while Services use its addresses. */
export const serviceCidrFinalizer = 'networking.k8s.io/service-cidr-finalizer';

/** The strategy for ServiceCIDRs, with at most one range of each IP family. An update can add a second range, but cannot change a range. */
export const serviceCidrStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { preservedByStatus: 'all' },
  defaults: (draft) => {
    madeAt(draft, 'spec');
  },
  initialFinalizers: [serviceCidrFinalizer],
  initialStatus: (_, now) => {
    const message = 'Kubernetes Service CIDR is ready';
    return { conditions: [{ lastTransitionTime: now, message, reason: '', status: 'True', type: 'Ready' }] };
  },
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: cidrErrors,
  validateUpdate: changeErrors,
  cells: (cidr, now) => [
    cidr.metadata.name,
    textsAt(cidr, 'spec', 'cidrs').join(','),
    age(cidr.metadata.creationTimestamp, now),
  ],
};

function cidrErrors(cidr: ApiObject): readonly FieldError[] {
  const ranges = textsAt(cidr, 'spec', 'cidrs');
  if (ranges.length === 0) return [fieldErrors.required(path, 'at least one CIDR required')];
  if (ranges.length > 2) {
    const message = `Invalid value: ${goStruct({ CIDRs: ranges })}: may only hold up to 2 values`;
    return [{ reason: 'FieldValueInvalid', field: path, message }];
  }
  const errors = errorsOfEach(ranges, (range, index) => rangeErrors(range, `${path}[${index}]`));
  const [first, second] = ranges.map(familyOf);
  if (first !== undefined && first === second) {
    const why = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    errors.push(fieldErrors.invalid(path, ranges, why));
  }
  return errors;
}

function changeErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const [after, before] = [textsAt(next, 'spec', 'cidrs'), textsAt(old, 'spec', 'cidrs')];
  const errors = errorsOfEach(before, (range, index) =>
    after[index] === undefined || after[index] === range
      ? []
      : [fieldErrors.invalid(`${path}[${index}]`, after[index], 'field is immutable')],
  );
  if (before.length === after.length) return errors;
  if (before.length === 1 && after.length === 2) return [...errors, ...cidrErrors(next)];
  return [fieldErrors.invalid(path, after, 'field is immutable')];
}
