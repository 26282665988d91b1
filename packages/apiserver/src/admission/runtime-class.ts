import { deepEqual } from '@kubewright/api/patch';
import { compareQuantities } from '@kubewright/api/quantity';
import type { AdmissionCheck, AdmissionRequest } from '../registry/admission/admission-check.js';
import type { ApiObject, JsonDraft, JsonObject } from '../registry/objects/api-object.js';
import { copyJson, madeAt, numberAt, objectAt, objectsAt, stringAt } from '../registry/objects/json-object.js';
import { failure, forbidden } from '../registry/requests/status-errors.js';

const differs = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/**
 * Sets the overhead, the node selector and the tolerations of a new Pod from its RuntimeClass. Throws 403 if the RuntimeClass does not
 * exist, or if the Pod has a different overhead or a conflicting node selector. Throws 500 if `runtimeClassName` is empty.
 */
export const runtimeClass: AdmissionCheck = (request) => {
  const found = classOf(request);
  if (found === undefined || request.object === undefined) return;
  const spec = madeAt(request.object, 'spec');
  const overhead = objectAt(found, 'overhead', 'podFixed');
  if (Object.keys(overhead).length > 0) {
    if (spec['overhead'] !== undefined && !sameAmounts(objectAt(spec, 'overhead'), overhead)) refuse(request, differs);
    spec['overhead'] = copyJson(overhead);
  }
  if (found['scheduling'] === undefined) return;
  addSelector(request, spec, objectAt(found, 'scheduling', 'nodeSelector'));
  const tolerations = merged([
    ...objectsAt(spec, 'tolerations'),
    ...objectsAt(found, 'scheduling', 'tolerations').map((toleration) => ({ ...toleration })),
  ]);
  if (tolerations.length > 0) spec['tolerations'] = tolerations;
};

/** Throws 403 for a new Pod whose overhead differs from the overhead of its RuntimeClass. */
export const runtimeClassOverhead: AdmissionCheck = (request) => {
  if (!isNewPod(request)) return;
  const overhead = objectAt(classOf(request), 'overhead', 'podFixed');
  const own = objectAt(request.object, 'spec', 'overhead');
  if (sameAmounts(own, overhead)) return;
  const unfounded = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
  refuse(request, Object.keys(overhead).length === 0 ? unfounded : differs);
};

function isNewPod({ operation, definition, context }: AdmissionRequest): boolean {
  return operation === 'CREATE' && definition.storageBucket === '/pods' && context.subresource === undefined;
}

function classOf(request: AdmissionRequest): ApiObject | undefined {
  if (!isNewPod(request)) return undefined;
  const { runtimeClassName: name } = objectAt(request.object, 'spec');
  if (typeof name !== 'string') return undefined;
  if (name === '') throw failure(500, '', { message: 'resource name may not be empty' });
  const found = request.registry.builtIn('node.k8s.io/v1/runtimeclasses').find({ name });
  return found ?? refuse(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
}

function refuse({ definition, key }: AdmissionRequest, why: string): never {
  throw forbidden(definition, key.name, { why });
}

function sameAmounts(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every(
    (name) => right[name] !== undefined && compareQuantities(String(left[name]), String(right[name])) === 0,
  );
}

function addSelector(request: AdmissionRequest, spec: JsonDraft, desired: JsonObject): void {
  if (Object.keys(desired).length === 0) return;
  const selector = madeAt(spec, 'nodeSelector');
  for (const [name, value] of Object.entries(desired)) {
    const own = selector[name];
    if (own !== undefined && own !== value) {
      const theirs = `runtimeClass.scheduling.nodeSelector[${name}] = ${String(value)}`;
      refuse(request, `conflict: ${theirs}; pod.spec.nodeSelector[${name}] = ${String(own)}`);
    }
    selector[name] = value;
  }
}

/** Removes tolerations that another toleration covers. Keeps the first of equal tolerations. */
function merged(all: readonly JsonDraft[]): readonly JsonDraft[] {
  const kept: JsonDraft[] = [];
  for (const [index, toleration] of all.entries()) {
    const later = all.slice(index + 1).filter((other) => !deepEqual(other, toleration));
    if ([...kept, ...later].every((other) => !covers(other, toleration))) kept.push(toleration);
  }
  return kept;
}

function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (deepEqual(wide, narrow)) return true;
  const [wideKey, key] = [stringAt(wide, 'key'), stringAt(narrow, 'key')];
  const operator = stringAt(wide, 'operator');
  if (wideKey !== key && (wideKey !== '' || operator !== 'Exists')) return false;
  const effect = stringAt(wide, 'effect');
  if (effect !== '' && effect !== stringAt(narrow, 'effect')) return false;
  const most = numberAt(wide, 'tolerationSeconds');
  if (effect === 'NoExecute' && most !== undefined) {
    if ((numberAt(narrow, 'tolerationSeconds') ?? Number.POSITIVE_INFINITY) > most) return false;
  }
  if (operator === 'Exists') return true;
  return stringAt(narrow, 'operator') === 'Equal' && stringAt(wide, 'value') === stringAt(narrow, 'value');
}
