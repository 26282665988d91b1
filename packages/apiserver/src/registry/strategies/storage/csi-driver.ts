import { deepEqual } from '@kubewright/api/patch';
import { append } from '@kubewright/api/json';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { madeAt, numberAt, objectAt, objectsAt, stringAt, textsAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill, unchanged } from '../rules/field-checks.js';

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const modes = ['Persistent', 'Ephemeral'];
const tokenWarning =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';
const shortestPeriod = 10;
const shortestToken = 600;
const longestToken = 2 ** 32;

/**
 * The strategy for CSIDrivers. By default, volumes are attached and persistent. The fields attachRequired and volumeLifecycleModes are
 * immutable.
 */
export const csiDriverStrategy: Partial<Strategy> = {
  ownRules: true,
  deletionRules: { returnsObject: true },
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    fill(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      requiresRepublish: false,
      seLinuxMount: false,
    });
    if (textsAt(spec, 'volumeLifecycleModes').length === 0) spec['volumeLifecycleModes'] = ['Persistent'];
  },
  prepareForUpdate: (draft, old) => {
    if (deepEqual(draft['spec'], old['spec'])) return;
    draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: driverErrors,
  validateUpdate: (next, old) => [
    ...driverErrors(next),
    // As in kube-apiserver, the error contains an older name of the field.
    ...unchanged(next, old, 'spec.attachRequired').map((error) => ({ ...error, field: 'spec.attachedRequired' })),
    ...unchanged(next, old, 'spec.volumeLifecycleModes'),
  ],
  warnings: (driver, old) => {
    const tokens = objectsAt(driver, 'spec', 'tokenRequests');
    const isKept = old !== undefined && deepEqual(tokens, objectsAt(old, 'spec', 'tokenRequests'));
    const inSecrets = valueAt(driver, 'spec', 'serviceAccountTokenInSecrets');
    return tokens.length === 0 || isKept || inSecrets !== undefined ? [] : [tokenWarning];
  },
  cells: driverCells,
};

function driverErrors(driver: ApiObject): readonly FieldError[] {
  const spec = objectAt(driver, 'spec');
  const errors: FieldError[] = [];
  const policy = stringAt(spec, 'fsGroupPolicy');
  if (!groupPolicies.includes(policy)) {
    errors.push(fieldErrors.notSupported('spec.fsGroupPolicy', policy, groupPolicies));
  }
  append(errors, tokenErrors(objectsAt(spec, 'tokenRequests')));
  for (const mode of textsAt(spec, 'volumeLifecycleModes')) {
    if (!modes.includes(mode)) errors.push(fieldErrors.notSupported('spec.volumeLifecycleModes', mode, modes));
  }
  const period = numberAt(spec, 'nodeAllocatableUpdatePeriodSeconds');
  if (period !== undefined && period < shortestPeriod) {
    const why = `must be greater than or equal to ${shortestPeriod} seconds`;
    errors.push(fieldErrors.invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, why));
  }
  const inSecrets = spec['serviceAccountTokenInSecrets'];
  if (inSecrets !== undefined && objectsAt(spec, 'tokenRequests').length === 0) {
    const why = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    errors.push(fieldErrors.invalid('spec.serviceAccountTokenInSecrets', inSecrets, why));
  }
  return errors;
}

function tokenErrors(requests: readonly JsonDraft[]): readonly FieldError[] {
  const audiences = new Set<string>();
  return errorsOfEach(requests, (request, index) => {
    const path = `spec.tokenRequests[${index}]`;
    const audience = stringAt(request, 'audience');
    if (audiences.has(audience)) return [fieldErrors.duplicate(`${path}.audience`, audience)];
    audiences.add(audience);
    const seconds = numberAt(request, 'expirationSeconds');
    const bad = (why: string): FieldError => fieldErrors.invalid(`${path}.expirationSeconds`, seconds, why);
    if (seconds === undefined) return [];
    if (seconds < shortestToken) return [bad('may not specify a duration less than 10 minutes')];
    return seconds > longestToken ? [bad('may not specify a duration larger than 2^32 seconds')] : [];
  });
}

/** Returns the table row: name, attachRequired, podInfoOnMount, storageCapacity, token audiences, requiresRepublish, modes and age. */
function driverCells(driver: ApiObject, now: Date): readonly unknown[] {
  const spec = objectAt(driver, 'spec');
  const tokens = valueAt(spec, 'tokenRequests');
  return [
    driver.metadata.name,
    spec['attachRequired'] !== false,
    spec['podInfoOnMount'] === true,
    spec['storageCapacity'] === true,
    tokens === undefined
      ? '<unset>'
      : objectsAt(spec, 'tokenRequests')
          .map((request) => stringAt(request, 'audience'))
          .join(','),
    spec['requiresRepublish'] === true,
    textsAt(spec, 'volumeLifecycleModes').join(',') || '<none>',
    age(driver.metadata.creationTimestamp, now),
  ];
}
