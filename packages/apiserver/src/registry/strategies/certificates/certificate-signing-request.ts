import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age, humanDuration } from '../../objects/age.js';
import type { ApiObject, DraftObject, JsonDraft } from '../../objects/api-object.js';
import { copyJson, madeAt, numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import { timestamp } from '../../metadata/metadata-rules.js';
import type { Strategy } from '../../definitions/strategy.js';
import { certificateRequestError } from './certificate-request.js';
import { issuedCertificateError } from './issued-certificate.js';
import { supportedErrors } from '../core/pod-spec/value-rules.js';
import { signerNameErrors } from './signer-name.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const shortest = 600;
/** The signer of requests that were created with an API version before v1. */
const legacySigner = 'kubernetes.io/legacy-unknown';
const verdicts = ['Approved', 'Denied'];
const lasting = [...verdicts, 'Failed'];
const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

/** The strategy for CertificateSigningRequests. The spec is immutable. Only the approval subresource can approve or deny a request. */
export const certificateSigningRequestStrategy: Partial<Strategy> = {
  ownRules: true,
  resetsStatus: false,
  selectableFields: ['spec.signerName'],
  unsupportedField: (field) => `field label not supported: ${field}`,
  nameErrors: () => [],
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    spec['signerName'] ??= '';
    spec['request'] ??= null;
  },
  prepareForCreate: (draft, { user }) => {
    const { uid: _, extra: __, ...spec } = objectAt(draft, 'spec');
    draft['spec'] = { ...spec, username: user.name, groups: [...user.groups] };
    draft['status'] = {};
  },
  prepareForUpdate: (draft, old, { subresource, now }) => {
    const conditions = conditionsOf(draft);
    draft['spec'] = copyJson(old['spec']);
    draft['status'] = copyJson(old['status']) ?? {};
    if (subresource === 'approval') setConditions(draft, withTimes(conditions, old, now));
  },
  prepareForStatusUpdate: (draft, old, { now }) => {
    setConditions(draft, withTimes(preservedVerdicts(conditionsOf(draft), conditionsOf(old)), old, now));
  },
  validate: (request) => requestErrors(request),
  validateUpdate: (next, old) => [...requestErrors(next, old), ...removedErrors(next, old)],
  validateStatusUpdate: (next, old) => [
    ...requestErrors(next, old),
    ...removedErrors(next, old),
    ...addedErrors(next, old),
  ],
  cells: (request, now) => [
    request.metadata.name,
    age(request.metadata.creationTimestamp, now),
    stringAt(request, 'spec', 'signerName') || '<none>',
    stringAt(request, 'spec', 'username'),
    durationText(numberAt(request, 'spec', 'expirationSeconds')),
    stateText(request),
  ],
};

function conditionsOf(object: object): readonly JsonDraft[] {
  return objectsAt(object, 'status', 'conditions');
}

function setConditions(draft: DraftObject, conditions: readonly JsonDraft[]): void {
  const status = madeAt(draft, 'status');
  if (conditions.length === 0) delete status['conditions'];
  else status['conditions'] = conditions;
}

/**
 * Sets the missing times of conditions. The default of lastUpdateTime is the current time. The default of lastTransitionTime is the old
 * time if the status of the condition is unchanged, and otherwise the current time. Takes linear time.
 */
function withTimes(conditions: readonly JsonDraft[], old: ApiObject, time: Date): readonly JsonDraft[] {
  const now = timestamp(time);
  const state = ({ type, status }: JsonDraft): string => JSON.stringify([type, status]);
  // If several conditions have the same type and status, the first condition is used.
  const known = new Map(
    conditionsOf(old)
      .map((condition) => [state(condition), condition] as const)
      .toReversed(),
  );
  return conditions.map((condition) => ({
    ...condition,
    lastUpdateTime: condition['lastUpdateTime'] ?? now,
    lastTransitionTime: condition['lastTransitionTime'] ?? known.get(state(condition))?.['lastTransitionTime'] ?? now,
  }));
}

/**
 * Restores the old Approved and Denied conditions, because only the approval subresource can write these types. Does not restore a type if
 * the number of conditions of this type has changed, so that validation reports the change. Takes linear time.
 */
function preservedVerdicts(conditions: readonly JsonDraft[], old: readonly JsonDraft[]): readonly JsonDraft[] {
  const kept = new Map<unknown, JsonDraft | undefined>();
  for (const verdict of verdicts) {
    const isSame = ({ type }: JsonDraft): boolean => type === verdict;
    if (conditions.filter(isSame).length === old.filter(isSame).length) kept.set(verdict, old.find(isSame));
  }
  return conditions.map((condition) => kept.get(condition['type']) ?? condition);
}

function requestErrors(request: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectAt(request, 'spec');
  const errors: FieldError[] = [];
  const wrong = certificateRequestError(stringAt(spec, 'request'));
  if (wrong !== undefined) errors.push(fieldErrors.invalid('spec.request', spec['request'] ?? null, wrong));
  const given = textsAt(spec, 'usages');
  if (given.length === 0) errors.push(fieldErrors.required('spec.usages'));
  append(
    errors,
    errorsOfEach(given, (usage, index) => supportedErrors(usage, `spec.usages[${index}]`, usages)),
    errorsOfEach(repeatedPositions(given), (at) => [fieldErrors.duplicate(`spec.usages[${at}]`, given[at])]),
  );
  const signer = stringAt(spec, 'signerName');
  if (signer !== legacySigner) append(errors, signerNameErrors(signer, 'spec.signerName'));
  else if (old === undefined) {
    const why = 'the legacy signerName is not allowed via this API version';
    errors.push(fieldErrors.invalid('spec.signerName', signer, why));
  }
  const seconds = numberAt(spec, 'expirationSeconds');
  if (seconds !== undefined && seconds < shortest) {
    const why = `may not specify a duration less than ${shortest} seconds (10 minutes)`;
    errors.push(fieldErrors.invalid('spec.expirationSeconds', seconds, why));
  }
  return [...errors, ...conditionErrors(conditionsOf(request)), ...certificateErrors(request, old)];
}

/** Returns the errors of a new certificate. An existing certificate with errors can be replaced by any certificate. */
function certificateErrors(request: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const [next, before] = [stringAt(request, 'status', 'certificate'), stringAt(old, 'status', 'certificate')];
  if (next === before || issuedCertificateError(before) !== undefined) return [];
  const why = issuedCertificateError(next);
  return why === undefined ? [] : [fieldErrors.invalid('status.certificate', '<certificate data>', why)];
}

function conditionErrors(conditions: readonly JsonDraft[]): readonly FieldError[] {
  const types = conditions.map((condition) => stringAt(condition, 'type'));
  const repeated = repeatedPositions(types);
  const firstVerdicts = new Map(verdicts.map((verdict) => [verdict, types.indexOf(verdict)]));
  return errorsOfEach(conditions, (condition, index) => {
    const path = `status.conditions[${index}]`;
    const type = types[index] ?? '';
    const status = stringAt(condition, 'status');
    const allowed = lasting.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    const errors: FieldError[] = type === '' ? [fieldErrors.required(`${path}.type`)] : [];
    if (status === '') errors.push(fieldErrors.required(`${path}.status`));
    else if (!allowed.includes(status)) errors.push(fieldErrors.notSupported(`${path}.status`, status, allowed));
    const other = firstVerdicts.get(verdicts.find((verdict) => verdict !== type) ?? '') ?? -1;
    if (verdicts.includes(type) && other >= 0 && other < index) {
      const why = 'Approved and Denied conditions are mutually exclusive';
      errors.push(fieldErrors.invalid('status.conditions', type, why));
    }
    if (repeated.has(index)) errors.push(fieldErrors.duplicate(`${path}.type`, type));
    return errors;
  });
}

function ofType(object: ApiObject, type: string): readonly JsonDraft[] {
  return conditionsOf(object).filter((condition) => condition['type'] === type);
}

function removedErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  return lasting
    .filter((type) => ofType(next, type).length < ofType(old, type).length)
    .map((type) => fieldErrors.forbidden('status.conditions', `updates may not remove a condition of type "${type}"`));
}

function addedErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const errors = verdicts
    .filter((type) => ofType(next, type).length > ofType(old, type).length)
    .map((type) => fieldErrors.forbidden('status.conditions', `updates may not add a condition of type "${type}"`));
  const [after, before] = [stringAt(next, 'status', 'certificate'), stringAt(old, 'status', 'certificate')];
  if (before === '' || deepEqual(after, before)) return errors;
  return [
    ...errors,
    fieldErrors.forbidden('status.certificate', 'updates may not modify existing certificate content'),
  ];
}

function durationText(seconds: number | undefined): string {
  return seconds === undefined ? '<none>' : humanDuration(seconds * 1000);
}

function stateText(request: ApiObject): string {
  const types = conditionsOf(request).map((condition) => stringAt(condition, 'type'));
  const verdict = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
  const failed = types.includes('Failed') ? ',Failed' : '';
  return `${verdict}${failed}${stringAt(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}
