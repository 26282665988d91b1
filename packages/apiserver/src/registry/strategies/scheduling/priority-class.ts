import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject } from '../../objects/api-object.js';
import { nameTable, numberAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill, unchanged } from '../rules/field-checks.js';

const highest = 1_000_000_000;
const reserved = 'system-';
/** The values of the PriorityClasses that exist in every cluster, by name. */
export const systemPriorities = nameTable({
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
});
const policies = ['PreemptLowerPriority', 'Never'];

/**
 * The strategy for PriorityClasses. The value and the preemptionPolicy are immutable. Values above one billion are reserved for the system.
 */
export const priorityClassStrategy: Partial<Strategy> = {
  ownRules: true,
  tracksGeneration: true,
  allowCreateOnUpdate: false,
  defaults: (draft) => {
    fill(draft, { preemptionPolicy: 'PreemptLowerPriority' });
    draft['value'] ??= 0;
  },
  validate: (priorityClass) => {
    const { name } = priorityClass.metadata;
    const policy = stringAt(priorityClass, 'preemptionPolicy');
    const errors = [...valueErrors(priorityClass, name)];
    if (!policies.includes(policy)) errors.push(fieldErrors.notSupported('preemptionPolicy', policy, policies));
    return errors;
  },
  validateUpdate: (next, old) => [
    ...(next['value'] === old['value'] ? [] : [fieldErrors.forbidden('value', 'may not be changed in an update.')]),
    ...unchanged(next, old, 'preemptionPolicy'),
  ],
  cells: (priorityClass, now) => [
    priorityClass.metadata.name,
    numberAt(priorityClass, 'value') ?? 0,
    priorityClass['globalDefault'] === true,
    age(priorityClass.metadata.creationTimestamp, now),
    stringAt(priorityClass, 'preemptionPolicy'),
  ],
};

function valueErrors(priorityClass: ApiObject, name: string): readonly FieldError[] {
  const value = numberAt(priorityClass, 'value') ?? 0;
  if (!name.startsWith(reserved)) {
    const why = `maximum allowed value of a user defined priority is ${highest}`;
    return value > highest ? [fieldErrors.forbidden('value', why)] : [];
  }
  const wrong = systemError(priorityClass, name, value);
  if (wrong === undefined) return [];
  const why = `priority class names with '${reserved}' prefix are reserved for system use only. error: ${wrong}`;
  return [fieldErrors.forbidden('metadata.name', why)];
}

function systemError(priorityClass: ApiObject, name: string, value: number): string | undefined {
  const expected = systemPriorities[name];
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return priorityClass['globalDefault'] === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
