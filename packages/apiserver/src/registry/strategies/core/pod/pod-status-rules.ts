import { append } from '@kubewright/api/json';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../../objects/api-object.js';
import { numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../../objects/json-object.js';
import { firstByName } from '../../rules/field-checks.js';
import { podAnnotationErrors } from '../pod-spec/pod-annotation-rules.js';
import { ipErrors, qualifiedErrors, subdomainErrors } from '../pod-spec/value-rules.js';
import { mirrorErrors } from './pod-update-rules.js';

const systemConditions: ReadonlySet<unknown> = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Returns the errors of a Pod status update. */
export function podStatusErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const errors = [
    ...mirrorErrors(next, old),
    ...podAnnotationErrors(objectAt(next, 'metadata'), objectAt(next, 'spec'), 'metadata.annotations'),
  ];
  for (const [index, condition] of objectsAt(next, 'status', 'conditions').entries()) {
    if (systemConditions.has(condition['type'])) continue;
    append(errors, qualifiedErrors(stringAt(condition, 'type'), `status.conditions[${index}].Type`));
  }
  append(errors, nominationErrors(next, old));
  const qosClass = stringAt(next, 'status', 'qosClass');
  if (qosClass !== stringAt(old, 'status', 'qosClass')) {
    errors.push(fieldErrors.invalid('status.qosClass', qosClass, 'field is immutable'));
  }
  for (const field of ['containerStatuses', 'initContainerStatuses']) append(errors, stateErrors(next, old, field));
  return [...errors, ...addressErrors(next, 'podIPs'), ...hostAddressErrors(next), ...addressErrors(next, 'hostIPs')];
}

function nominationErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const name = stringAt(next, 'status', 'nominatedNodeName');
  if (name === '' || name === stringAt(old, 'status', 'nominatedNodeName')) return [];
  const at = 'status.nominatedNodeName';
  const bound = stringAt(old, 'spec', 'nodeName') !== '';
  const why = 'may not be set on pods that are already bound to a node';
  return [...subdomainErrors(name, at), ...(bound ? [fieldErrors.forbidden(at, why)] : [])];
}

/** Returns the errors of terminated containers that run again although the restart policy does not allow a restart. */
function stateErrors(next: ApiObject, old: ApiObject, field: string): readonly FieldError[] {
  const podPolicy = stringAt(old, 'spec', 'restartPolicy');
  const containers = firstByName(['containers', 'initContainers'].flatMap((of) => objectsAt(old, 'spec', of)));
  const statuses = firstByName(objectsAt(next, 'status', field));
  return errorsOfEach(objectsAt(old, 'status', field), (before, index) => {
    const ended = valueAt(before, 'state', 'terminated');
    const own = containers.get(before['name'])?.['restartPolicy'];
    if (ended === undefined || restarts(before, typeof own === 'string' ? own : podPolicy)) return [];
    const after = statuses.get(before['name']);
    if (after === undefined || objectAt(after, 'state')['terminated'] !== undefined) return [];
    const why = 'may not be transitioned to non-terminated state';
    return [fieldErrors.forbidden(`status.${field}[${index}].state`, why)];
  });
}

function restarts(status: JsonDraft, policy: string): boolean {
  if (policy === 'Always') return true;
  return policy === 'OnFailure' && (numberAt(status, 'state', 'terminated', 'exitCode') ?? 0) !== 0;
}

function hostAddressErrors(pod: ApiObject): readonly FieldError[] {
  const [first] = objectsAt(pod, 'status', 'hostIPs');
  const ip = stringAt(first, 'ip');
  if (first === undefined || ip === stringAt(pod, 'status', 'hostIP')) return [];
  return [fieldErrors.invalid('status.hostIPs[0].ip', ip, 'must be equal to `hostIP`')];
}

function addressErrors(pod: ApiObject, field: string): readonly FieldError[] {
  const addresses = objectsAt(pod, 'status', field).map((address) => stringAt(address, 'ip'));
  const errors = errorsOfEach(addresses, (ip, index) => ipErrors(ip, `status.${field}[${index}]`));
  const sixes = addresses.filter((ip) => ip.includes(':')).length;
  if (addresses.length > 1 && (addresses.length > 2 || sixes !== 1)) {
    const why = 'may specify no more than one IP for each IP family';
    errors.push(fieldErrors.invalid(`status.${field}`, objectsAt(pod, 'status', field), why));
  }
  return errors;
}
