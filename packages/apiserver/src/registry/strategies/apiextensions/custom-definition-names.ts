import { deepEqual } from '@kubewright/api/patch';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { copyJson, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';

/** A condition that the API server sets on a CustomResourceDefinition. */
export interface DefinitionCondition {
  readonly type: 'NamesAccepted' | 'Established' | 'Terminating';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Whether a CustomResourceDefinition has the condition with the given type and the status `True`. */
export function isTrue(crd: ApiObject, type: DefinitionCondition['type']): boolean {
  return objectsAt(crd, 'status', 'conditions').some((found) => found['type'] === type && found['status'] === 'True');
}

/** Whether the server serves the objects of a definition. A definition is served if its names are accepted, or if it is established. */
export function isServed(crd: ApiObject): boolean {
  return isTrue(crd, 'NamesAccepted') || isTrue(crd, 'Established');
}

/**
 * Returns the next status of a CustomResourceDefinition, or undefined if the status does not need to change. While the names in the spec
 * differ from the accepted names, the next status contains the result of the name check. After the names are accepted, the next status
 * establishes the definition.
 */
export function nextStatus(
  crd: ApiObject,
  { others, now }: { readonly others: readonly ApiObject[]; readonly now: string },
): JsonDraft | undefined {
  const status = copyJson(objectAt(crd, 'status'));
  if (!deepEqual(objectAt(crd, 'spec', 'names'), objectAt(status, 'acceptedNames'))) {
    const { accepted, condition } = acceptNames(crd, others);
    if (!deepEqual(accepted, objectAt(status, 'acceptedNames')) || !says(crd, condition)) {
      status['acceptedNames'] = accepted;
      setCondition(status, condition, now);
      if (!isTrue(crd, 'Established')) setCondition(status, notYet(crd, condition), now);
      return status;
    }
  }
  if (!isTrue(crd, 'NamesAccepted') || isTrue(crd, 'Established')) return undefined;
  const message = 'the initial names have been accepted';
  setCondition(status, { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message }, now);
  return status;
}

/** Sets a condition in the status of a CustomResourceDefinition. Updates lastTransitionTime only if the condition status changes. */
export function setCondition(status: JsonDraft, condition: DefinitionCondition, now: string): void {
  const conditions = [...objectsAt(status, 'conditions')];
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[at];
  const lastTransitionTime = before?.['status'] === condition.status ? before['lastTransitionTime'] : now;
  const next = { lastTransitionTime, ...condition };
  if (before === undefined) conditions.push(next);
  else conditions[at] = next;
  status['conditions'] = conditions;
}

function notYet(crd: ApiObject, names: DefinitionCondition): DefinitionCondition {
  if (names.status === 'True') {
    const message = 'the initial names have been accepted';
    return { type: 'Established', status: 'False', reason: 'Installing', message };
  }
  const known = objectsAt(crd, 'status', 'conditions').find(({ type }) => type === 'Established');
  const message = stringAt(known, 'message') || 'not all names are accepted';
  return { type: 'Established', status: 'False', reason: stringAt(known, 'reason') || 'NotAccepted', message };
}

function says(crd: ApiObject, { type, status, reason, message }: DefinitionCondition): boolean {
  const found = objectsAt(crd, 'status', 'conditions').find((condition) => condition['type'] === type);
  return found?.['status'] === status && found['reason'] === reason && found['message'] === message;
}

interface Acceptance {
  readonly accepted: JsonDraft;
  readonly condition: DefinitionCondition;
}

/**
 * Accepts each name that no other definition has, and each name that was accepted for this definition before. Accepts either all short
 * names or none of the new short names. The condition reports the last conflict.
 */
function acceptNames(crd: ApiObject, others: readonly ApiObject[]): Acceptance {
  const desired = objectAt(crd, 'spec', 'names');
  const accepted = copyJson(objectAt(crd, 'status', 'acceptedNames'));
  const own = copyJson(accepted);
  const resources = taken(others, ['plural', 'singular', 'shortNames']);
  const kinds = taken(others, ['kind', 'listKind']);
  let conflict: Pick<DefinitionCondition, 'reason' | 'message'> | undefined;
  const claim = (field: string, reason: string, names: ReadonlySet<string>): void => {
    const name = stringAt(desired, field);
    if (name === stringAt(own, field) || !names.has(name)) accepted[field] = name;
    else conflict = { reason, message: inUse(name) };
  };
  claim('plural', 'PluralConflict', resources);
  claim('singular', 'SingularConflict', resources);
  const known = new Set(stringsAt(own, 'shortNames'));
  const lost = stringsAt(desired, 'shortNames').filter((name) => !known.has(name) && resources.has(name));
  if (lost.length === 0) setOrDelete(accepted, 'shortNames', desired['shortNames']);
  else {
    const errors = lost.map(inUse);
    conflict = {
      reason: 'ShortNamesConflict',
      message: errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`,
    };
  }
  claim('kind', 'KindConflict', kinds);
  claim('listKind', 'ListKindConflict', kinds);
  setOrDelete(accepted, 'categories', desired['categories']);
  const type = 'NamesAccepted';
  if (conflict !== undefined) return { accepted, condition: { type, status: 'False', ...conflict } };
  return { accepted, condition: { type, status: 'True', reason: 'NoConflicts', message: 'no conflicts found' } };
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}

function taken(others: readonly ApiObject[], fields: readonly string[]): ReadonlySet<string> {
  const names = others.flatMap((other) =>
    fields.flatMap((field) => valueAt(other, 'status', 'acceptedNames', field) ?? []),
  );
  return new Set(names.map(String).filter((name) => name !== ''));
}

function stringsAt(value: unknown, field: string): readonly string[] {
  const found = valueAt(value, field);
  return Array.isArray(found) ? found.map(String) : [];
}

function setOrDelete(target: JsonDraft, field: string, value: unknown): void {
  if (value === undefined) delete target[field];
  else target[field] = value;
}
