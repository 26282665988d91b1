import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, JsonDraft } from '../../../objects/api-object.js';
import { copyJson, numberAt, objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { mirrorAnnotation } from '../../rules/mirror-pod.js';
import { podAnnotationErrors } from '../pod-spec/pod-annotation-rules.js';
import { imageSpaceErrors } from '../pod-spec/pod-only-rules.js';
import { rangeText } from '../pod-spec/value-rules.js';
import { allContainers } from '../pod-spec/pod-spec-defaults.js';

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const largestInt32 = 2 ** 31 - 1;

/** Returns the errors of a Pod update that changes immutable fields, or that changes mutable fields in a way that is not allowed. */
export function podUpdateErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const after = objectAt(next, 'spec');
  const before = objectAt(old, 'spec');
  const errors = [
    ...mirrorErrors(next, old),
    ...podAnnotationErrors(objectAt(next, 'metadata'), after, 'metadata.annotations'),
  ];
  for (const field of ['containers', 'initContainers']) {
    const containers = objectsAt(after, field);
    if (containers.length !== objectsAt(before, field).length) {
      const why = 'pod updates may not add or remove containers';
      return [...errors, fieldErrors.forbidden(`spec.${field}`, why)];
    }
    for (const [index, container] of containers.entries()) {
      const at = `spec.${field}[${index}]`;
      if (stringAt(container, 'image') === '') errors.push(fieldErrors.required(`${at}.image`));
      append(errors, imageSpaceErrors(container, at));
    }
  }
  const deadline = deadlineErrors(after, before);
  append(errors, deadline.errors);
  if (deadline.stop) return errors;
  append(errors, tolerationUpdateErrors(after, before), gateUpdateErrors(after, before));
  if (deepEqual(comparable(after), comparable(before))) return errors;
  return [...errors, fieldErrors.forbidden('spec', changeable)];
}

/** Returns the error of an update that changes the mirror Pod annotation. */
export function mirrorErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const after = next.metadata.annotations?.[mirrorAnnotation];
  const before = old.metadata.annotations?.[mirrorAnnotation];
  if (after === before) return [];
  const why =
    before === undefined ? 'may not add mirror pod annotation' : 'may not remove or update mirror pod annotation';
  return [fieldErrors.forbidden(`metadata.annotations[${mirrorAnnotation}]`, why)];
}

function deadlineErrors(
  after: JsonDraft,
  before: JsonDraft,
): { readonly errors: readonly FieldError[]; readonly stop: boolean } {
  const next = numberAt(after, 'activeDeadlineSeconds');
  const old = numberAt(before, 'activeDeadlineSeconds');
  const at = 'spec.activeDeadlineSeconds';
  if (next === undefined) {
    const why = 'must not update from a positive integer to nil value';
    return { errors: old === undefined ? [] : [fieldErrors.invalid(at, null, why)], stop: false };
  }
  if (next < 0 || next > largestInt32) {
    return { errors: [fieldErrors.invalid(at, next, rangeText(0, largestInt32))], stop: true };
  }
  if (old === undefined || old >= next) return { errors: [], stop: false };
  return { errors: [fieldErrors.invalid(at, next, 'must be less than or equal to previous value')], stop: true };
}

function tolerationUpdateErrors(after: JsonDraft, before: JsonDraft): readonly FieldError[] {
  const kept = new Set(objectsAt(after, 'tolerations').map(keyWithoutSeconds));
  const lost = objectsAt(before, 'tolerations').some((old) => !kept.has(keyWithoutSeconds(old)));
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return lost ? [fieldErrors.forbidden('spec.tolerations', why)] : [];
}

function gateUpdateErrors(after: JsonDraft, before: JsonDraft): readonly FieldError[] {
  const known = new Set(objectsAt(before, 'schedulingGates').map((gate) => stringAt(gate, 'name')));
  return errorsOfEach(objectsAt(after, 'schedulingGates'), (gate, index) => {
    const name = stringAt(gate, 'name');
    if (known.has(name)) return [];
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [fieldErrors.forbidden(`spec.schedulingGates[${index}].name`, why)];
  });
}

/** Returns a key that is the same for tolerations that differ in their tolerationSeconds only. */
function keyWithoutSeconds({ key, operator, value, effect }: JsonDraft): string {
  return JSON.stringify([key, operator, value, effect]);
}

/** Returns the spec without the mutable fields. */
function comparable(spec: JsonDraft): JsonDraft {
  const { activeDeadlineSeconds: _, tolerations: _t, schedulingGates: gates, ...rest } = copyJson(spec);
  const grace = rest['terminationGracePeriodSeconds'];
  if (typeof grace === 'number' && (grace < 0 || grace === 1)) delete rest['terminationGracePeriodSeconds'];
  // The nodeSelector of a Pod with scheduling gates is mutable.
  if (Array.isArray(gates) && gates.length > 0) delete rest['nodeSelector'];
  for (const container of allContainers(rest)) delete container['image'];
  return rest;
}
