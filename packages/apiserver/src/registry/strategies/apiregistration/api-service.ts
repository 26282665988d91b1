import { append } from '@kubewright/api/json';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft, JsonObject } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill } from '../rules/field-checks.js';
import { goQuoted } from '../rules/go-text.js';

const mostGroup = 20_000;
const mostVersion = 1000;
const statuses = ['True', 'False', 'Unknown'];

/** The strategy for APIServices, whose names consist of the served version and group. */
export const apiServiceStrategy: Partial<Strategy> = {
  ownRules: true,
  metadataRules: { preservedByStatus: 'all' },
  storageFolder: 'apiregistration.k8s.io/apiservices',
  allowUnconditionalUpdate: false,
  nameErrors: () => [],
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    spec['groupPriorityMinimum'] ??= 0;
    spec['versionPriority'] ??= 0;
    if (isObject(spec['service'])) fill(spec['service'], { port: 443 });
  },
  initialStatus: (_, now) => localStatus(now),
  prepareForCreate: (draft) => {
    const local = valueAt(draft, 'spec', 'service') === undefined;
    draft['status'] = local ? localStatus(draft.metadata.creationTimestamp ?? '') : {};
  },
  validate: serviceErrors,
  validateUpdate: serviceErrors,
  validateStatusUpdate: (next) =>
    objectsAt(next, 'status', 'conditions')
      .map((condition, index) => ({ status: stringAt(condition, 'status'), index }))
      .filter(({ status }) => !statuses.includes(status))
      .map(({ status, index }) => fieldErrors.notSupported(`status.conditions[${index}].status`, status, statuses)),
  cells: (service, now) => [
    service.metadata.name,
    backendText(objectAt(service, 'spec')),
    availableText(service),
    age(service.metadata.creationTimestamp, now),
  ],
};

/** Returns the status of a local APIService, which is always available. */
function localStatus(now: string): JsonObject {
  const message = 'Local APIServices are always available';
  return { conditions: [{ lastTransitionTime: now, message, reason: 'Local', status: 'True', type: 'Available' }] };
}

function serviceErrors(service: ApiObject): readonly FieldError[] {
  const spec = objectAt(service, 'spec');
  const [group, version] = [stringAt(spec, 'group'), stringAt(spec, 'version')];
  const { name } = service.metadata;
  const errors: FieldError[] = [];
  const expected = `${version}.${group}`;
  if (name !== expected) {
    const why = `must be \`spec.version+"."+spec.group\`: ${goQuoted(expected)}`;
    errors.push(fieldErrors.invalid('metadata.name', name, why));
  }
  if (group === '' && version !== 'v1') {
    errors.push(fieldErrors.required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  }
  if (group !== '')
    append(
      errors,
      dns1123SubdomainErrors(group).map((why) => fieldErrors.invalid('spec.group', group, why)),
    );
  append(
    errors,
    dns1035LabelErrors(version).map((why) => fieldErrors.invalid('spec.version', version, why)),
  );
  append(errors, priorityErrors(spec, 'groupPriorityMinimum', mostGroup));
  append(errors, priorityErrors(spec, 'versionPriority', mostVersion));
  return [...errors, ...(isObject(spec['service']) ? remoteErrors(spec, spec['service']) : localErrors(spec))];
}

function priorityErrors(spec: JsonDraft, field: string, most: number): readonly FieldError[] {
  const value = numberAt(spec, field) ?? 0;
  if (value > 0 && value <= most) return [];
  return [fieldErrors.invalid(`spec.${field}`, value, `must be positive and less than ${most}`)];
}

function localErrors(spec: JsonDraft): readonly FieldError[] {
  const errors: FieldError[] = [];
  const bundle = stringAt(spec, 'caBundle');
  if (bundle !== '') {
    const shown = `${Buffer.byteLength(bundle, 'base64')} bytes`;
    errors.push(fieldErrors.invalid('spec.caBundle', shown, 'local APIServices may not have a caBundle'));
  }
  if (spec['insecureSkipTLSVerify'] !== true) return errors;
  const why = 'local APIServices may not have insecureSkipTLSVerify';
  return [...errors, fieldErrors.invalid('spec.insecureSkipTLSVerify', true, why)];
}

function remoteErrors(spec: JsonDraft, service: JsonDraft): readonly FieldError[] {
  const errors: FieldError[] = ['namespace', 'name']
    .filter((field) => stringAt(service, field) === '')
    .map((field) => fieldErrors.required(`spec.service.${field}`));
  const port = numberAt(service, 'port') ?? 0;
  if (port < 1 || port > 65_535) {
    const why = 'port is not valid: must be between 1 and 65535, inclusive';
    errors.push(fieldErrors.invalid('spec.service.port', port, why));
  }
  if (spec['insecureSkipTLSVerify'] !== true || stringAt(spec, 'caBundle') === '') return errors;
  return [...errors, fieldErrors.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')];
}

function backendText(spec: JsonDraft): string {
  const { service } = spec;
  return isObject(service) ? `${stringAt(service, 'namespace')}/${stringAt(service, 'name')}` : 'Local';
}

function availableText(service: ApiObject): string {
  const condition = objectsAt(service, 'status', 'conditions').find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  const status = stringAt(condition, 'status');
  const reason = stringAt(condition, 'reason');
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}
