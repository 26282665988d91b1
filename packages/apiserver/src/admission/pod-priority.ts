import type { AdmissionCheck, AdmissionRequest } from '../registry/admission/admission-check.js';
import type { ApiObject, JsonDraft } from '../registry/objects/api-object.js';
import { copyJson, madeAt, numberAt, objectAt, stringAt } from '../registry/objects/json-object.js';
import { forbidden } from '../registry/requests/status-errors.js';

/**
 * Sets the priority and the preemption policy of a new Pod from its PriorityClass. An update that omits these fields does not change them.
 * Throws 403 for a new Pod if the PriorityClass does not exist, or if the Pod sets a different priority or preemption policy.
 */
export const podPriority: AdmissionCheck = (request) => {
  const { operation, definition, object, old, context } = request;
  if (definition.storageBucket !== '/pods' || object === undefined || context.subresource !== undefined) return;
  const spec = madeAt(object, 'spec');
  if (operation === 'UPDATE') keepPriority(spec, objectAt(old, 'spec'));
  else if (operation === 'CREATE') setPriority(spec, request);
};

/** Throws 403 for a second default PriorityClass. */
export const oneDefaultPriority: AdmissionCheck = (request) => {
  const { operation, definition, key, object } = request;
  if (definition.storageBucket !== 'scheduling.k8s.io/priorityclasses' || operation === 'DELETE') return;
  if (object?.['globalDefault'] !== true) return;
  const known = defaultClass(request);
  if (known === undefined || (operation === 'UPDATE' && known.metadata.name === key.name)) return;
  const why = `PriorityClass ${known.metadata.name} is already marked as default. Only one default can exist`;
  throw forbidden(definition, key.name, { why });
};

function keepPriority(spec: JsonDraft, old: JsonDraft): void {
  for (const field of ['priority', 'preemptionPolicy']) {
    if (spec[field] === undefined && old[field] !== undefined) spec[field] = copyJson(old[field]);
  }
}

function setPriority(spec: JsonDraft, request: AdmissionRequest): void {
  const named = stringAt(spec, 'priorityClassName');
  const found = named === '' ? defaultClass(request) : classOf(request, named);
  const priority = numberAt(found, 'value') ?? 0;
  const policy = found === undefined ? 'PreemptLowerPriority' : stringAt(found, 'preemptionPolicy');
  const refuse = (why: string): never => {
    throw forbidden(request.definition, request.key.name, { why });
  };
  const computed = 'must not be provided in pod spec; priority admission controller computed';
  const from = 'from the given PriorityClass name';
  const given = spec['priority'];
  if (given !== undefined && given !== priority) {
    refuse(`the integer value of priority (${String(given)}) ${computed} ${priority} ${from}`);
  }
  if (found !== undefined) spec['priorityClassName'] = found.metadata.name;
  spec['priority'] = priority;
  if (policy === '') return;
  const desired = spec['preemptionPolicy'];
  if (desired !== undefined && desired !== policy) {
    refuse(`the string value of PreemptionPolicy (${String(desired)}) ${computed} ${policy} ${from}`);
  }
  spec['preemptionPolicy'] = policy;
}

function classOf({ registry, definition, key }: AdmissionRequest, name: string): ApiObject {
  const found = registry.builtIn('scheduling.k8s.io/v1/priorityclasses').find({ name });
  if (found !== undefined) return found;
  throw forbidden(definition, key.name, { why: `no PriorityClass with name ${name} was found` });
}

/** Returns the default PriorityClass, or undefined if there is none. If there are several, returns the class with the lowest value. */
function defaultClass({ registry }: AdmissionRequest): ApiObject | undefined {
  const { items } = registry.builtIn('scheduling.k8s.io/v1/priorityclasses').list();
  return items
    .filter(({ globalDefault }) => globalDefault === true)
    .toSorted((left, right) => (numberAt(left, 'value') ?? 0) - (numberAt(right, 'value') ?? 0))[0];
}
