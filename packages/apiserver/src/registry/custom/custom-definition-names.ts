import { deepEqual } from '@kubewright/api/patch';
import { type ApiObject, copyJson, type JsonDraft, objectAt, objectsAt, stringAt, valueAt } from '../json-object.js';

/** The condition of a definition with the given type, as far as the registry sets it. */
export interface DefinitionCondition {
  readonly type: 'NamesAccepted' | 'Established' | 'Terminating';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Whether a condition of a CustomResourceDefinition is true. */
export function isTrue(crd: ApiObject, type: DefinitionCondition['type']): boolean {
  return objectsAt(crd, 'status', 'conditions').some((found) => found['type'] === type && found['status'] === 'True');
}

/** Whether the objects of a definition can be asked for: its names are accepted, or were when it was established. */
export function isServed(crd: ApiObject): boolean {
  return isTrue(crd, 'NamesAccepted') || isTrue(crd, 'Established');
}

/**
 * The next status of a definition among those of its group: which of its names it gets, and whether it is established.
 * Undefined when nothing is left to do. A definition is established one step after its names are accepted.
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

/** Sets a condition of a status; its time is that of the last change between true and false. */
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

/** Takes each name that is free or the definition's own already; the last conflict is the one that is told. */
function acceptNames(crd: ApiObject, others: readonly ApiObject[]): Acceptance {
  const wanted = objectAt(crd, 'spec', 'names');
  const accepted = copyJson(objectAt(crd, 'status', 'acceptedNames'));
  const own = copyJson(accepted);
  const resources = taken(others, ['plural', 'singular', 'shortNames']);
  const kinds = taken(others, ['kind', 'listKind']);
  let conflict: Pick<DefinitionCondition, 'reason' | 'message'> | undefined;
  const claim = (field: string, reason: string, names: ReadonlySet<string>): void => {
    const name = stringAt(wanted, field);
    if (name === stringAt(own, field) || !names.has(name)) accepted[field] = name;
    else conflict = { reason, message: inUse(name) };
  };
  claim('plural', 'PluralConflict', resources);
  claim('singular', 'SingularConflict', resources);
  const known = new Set(stringsAt(own, 'shortNames'));
  const lost = stringsAt(wanted, 'shortNames').filter((name) => !known.has(name) && resources.has(name));
  if (lost.length === 0) setOrDelete(accepted, 'shortNames', wanted['shortNames']);
  else {
    const errors = lost.map(inUse);
    conflict = {
      reason: 'ShortNamesConflict',
      message: errors.length === 1 ? errors.join() : `[${errors.join(', ')}]`,
    };
  }
  claim('kind', 'KindConflict', kinds);
  claim('listKind', 'ListKindConflict', kinds);
  setOrDelete(accepted, 'categories', wanted['categories']);
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
