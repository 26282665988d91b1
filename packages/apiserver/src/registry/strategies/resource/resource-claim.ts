import { dns1123LabelErrors, dns1123SubdomainErrors, qualifiedNameErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { driverNameErrors } from '../core/pod-spec/claim-spec-rules.js';
import { deviceClaimShape } from '../rules/claim-shapes.js';
import { unchangedStruct } from '../rules/go-shape.js';
import { repeatedPositions } from '../rules/repeated-positions.js';
import { resourceClaimQuota } from './resource-claim-quota.js';

const modes = ['All', 'ExactCount'];
const oneOfTwo = 'exactly one of `exactly` or `firstAvailable` is required';

/** The strategy for ResourceClaims. The spec is immutable. */
export const resourceClaimStrategy: Partial<Strategy> = {
  ownRules: true,
  quotaRules: resourceClaimQuota,
  metadataRules: { validatesAgain: true, preservedByStatus: 'all' },
  deletionRules: { returnsObject: true },
  defaults: (draft) => defaultClaim(madeAt(draft, 'spec')),
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: (claim) => claimErrors(objectAt(claim, 'spec'), 'spec'),
  validateUpdate: (next, old) => unchangedStruct(next, old, { path: 'spec', shape: deviceClaimShape }),
  cells: (claim, now) => [claim.metadata.name, stateText(claim), age(claim.metadata.creationTimestamp, now)],
};

/** The strategy for ResourceClaimTemplates. The spec is immutable. */
export const resourceClaimTemplateStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true },
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    madeAt(spec, 'metadata');
    defaultClaim(madeAt(spec, 'spec'));
  },
  validate: (template) => claimErrors(objectAt(template, 'spec', 'spec'), 'spec.spec'),
  validateUpdate: (next, old) =>
    unchangedStruct(next, old, { path: 'spec', shape: [['Spec', 'spec', deviceClaimShape]] }),
  cells: ({ metadata }, now) => [metadata.name, age(metadata.creationTimestamp, now)],
};

/** The strategy for DeviceClasses. */
export const deviceClassStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { validatesAgain: true },
  deletionRules: { returnsObject: true },
  tracksGeneration: true,
  defaults: (draft) => {
    madeAt(draft, 'spec');
  },
  validate: classErrors,
  validateUpdate: classErrors,
  cells: ({ metadata }, now) => [metadata.name, age(metadata.creationTimestamp, now)],
};

function classErrors(deviceClass: ApiObject): readonly FieldError[] {
  const spec = objectAt(deviceClass, 'spec');
  const errors = [
    ...errorsOfEach(objectsAt(spec, 'selectors'), (selector, index) =>
      isObject(selector['cel']) ? [] : [fieldErrors.required(`spec.selectors[${index}].cel`)],
    ),
    ...errorsOfEach(objectsAt(spec, 'config'), ({ opaque }, index) => {
      const at = `spec.config[${index}].opaque`;
      if (!isObject(opaque)) return [fieldErrors.required(at)];
      return [
        ...driverNameErrors(stringAt(opaque, 'driver'), `${at}.driver`),
        ...(opaque['parameters'] === undefined ? [fieldErrors.required(`${at}.parameters`)] : []),
      ];
    }),
  ];
  const extended = spec['extendedResourceName'];
  if (extended !== undefined && !isExtendedResource(String(extended))) {
    errors.push(fieldErrors.invalid('spec.extendedResourceName', extended, 'must be a valid extended resource name'));
  }
  return errors;
}

/** Whether a resource has a domain outside of Kubernetes, and the quota for its requests has a valid name. */
function isExtendedResource(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false;
  return qualifiedNameErrors(`requests.${name}`).length === 0;
}

function defaultClaim(spec: JsonDraft): void {
  for (const request of objectsAt(madeAt(spec, 'devices'), 'requests')) {
    if (isObject(request['exactly'])) defaultRequest(request['exactly']);
    for (const part of objectsAt(request, 'firstAvailable')) defaultRequest(part);
  }
}

function defaultRequest(request: JsonDraft): void {
  if (!request['allocationMode']) request['allocationMode'] = 'ExactCount';
  if (request['allocationMode'] === 'ExactCount' && !request['count']) request['count'] = 1;
}

function claimErrors(spec: JsonDraft, path: string): readonly FieldError[] {
  const requests = objectsAt(spec, 'devices', 'requests');
  const names = requests.map((request) => stringAt(request, 'name'));
  const repeated = repeatedPositions(names);
  return errorsOfEach(requests, (request, index) => {
    const at = `${path}.devices.requests[${index}]`;
    const errors = [...requestErrors(request, at)];
    if (repeated.has(index)) errors.push(fieldErrors.duplicate(at, names[index]));
    return errors;
  });
}

function requestErrors(request: JsonDraft, path: string): readonly FieldError[] {
  const errors = [...nameErrors(stringAt(request, 'name'), `${path}.name`)];
  const choices = objectsAt(request, 'firstAvailable');
  const exact = request['exactly'];
  if (choices.length > 0 && isObject(exact)) {
    const message = `Invalid value: null: ${oneOfTwo}, but multiple fields are set`;
    return [...errors, { reason: 'FieldValueInvalid', field: path, message }];
  }
  if (isObject(exact)) return [...errors, ...deviceErrors(exact, `${path}.exactly`)];
  if (choices.length === 0) return [...errors, fieldErrors.required(path, oneOfTwo)];
  return [
    ...errors,
    ...errorsOfEach(choices, (choice, index) => {
      const at = `${path}.firstAvailable[${index}]`;
      return [...nameErrors(stringAt(choice, 'name'), `${at}.name`), ...deviceErrors(choice, at)];
    }),
  ];
}

function nameErrors(name: string, path: string): readonly FieldError[] {
  return dns1123LabelErrors(name).map((why) => fieldErrors.invalid(path, name, why));
}

function deviceErrors(request: JsonDraft, path: string): readonly FieldError[] {
  const name = stringAt(request, 'deviceClassName');
  const mode = stringAt(request, 'allocationMode');
  const count = numberAt(request, 'count') ?? 0;
  const at = `${path}.deviceClassName`;
  const errors: FieldError[] =
    name === ''
      ? [fieldErrors.required(at)]
      : dns1123SubdomainErrors(name).map((why) => fieldErrors.invalid(at, name, why));
  if (!modes.includes(mode)) errors.push(fieldErrors.notSupported(`${path}.allocationMode`, mode, modes));
  else if (mode === 'All' && count !== 0) {
    const why = "must not be specified when allocationMode is 'All'";
    errors.push(fieldErrors.invalid(`${path}.count`, count, why));
  } else if (mode === 'ExactCount' && count <= 0) {
    errors.push(fieldErrors.invalid(`${path}.count`, count, 'must be greater than zero'));
  }
  return errors;
}

function stateText(claim: ApiObject): string {
  const deleted = claim.metadata.deletionTimestamp !== undefined;
  const states = deleted ? ['deleted'] : [];
  if (valueAt(claim, 'status', 'allocation') === undefined) {
    if (!deleted) states.push('pending');
  } else {
    states.push('allocated');
    if (objectsAt(claim, 'status', 'reservedFor').length > 0) states.push('reserved');
  }
  return states.join(',');
}
