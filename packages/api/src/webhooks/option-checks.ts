import { messageOf } from '../errors/message-of.js';
import { kindOf } from '../kinds/kind-of.js';
import { qualifiedNameErrors } from '../names/label-names.js';
import type { KindRef } from '../objects/kube-object.js';
import { labelSelectorFromObject } from '../selectors/label-selector.js';
import type { WebhookCondition } from './webhook-options.js';

/** Checks the value of an option. Returns the violated rule with the fix, or undefined for a valid value. */
export type OptionCheck = (value: unknown) => string | undefined;

const MAX_CONDITIONS = 64;

/** Returns a check that accepts only the given values. */
export const oneOf =
  (...values: readonly string[]): OptionCheck =>
  (value) =>
    values.includes(value as string) ? undefined : `use ${listed(values)}`;

/** Checks the name of a subresource. */
export function subresourceProblem(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value)
    ? undefined
    : "use the name of a subresource in lower case, such as 'scale'";
}
/** Checks a reference to a kind. */
export function kindProblem(value: unknown): string | undefined {
  try {
    kindOf(value as KindRef);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
/** Checks a list of operations. `known` are the operations that the declaration supports. */
export function operationsProblem(value: unknown, known: readonly string[]): string | undefined {
  const isFine =
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every((each) => known.includes(each));
  return isFine ? undefined : `use a list of ${listed(known)}`;
}
/** Checks a label selector. */
export function selectorProblem(value: unknown): string | undefined {
  try {
    if (typeof value !== 'object' || value === null) return "use an object such as { matchLabels: { tier: 'web' } }";
    labelSelectorFromObject(value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
/** Checks a list of match conditions. Does not compile the expressions. */
export function conditionsProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "use a list such as [{ name: 'not-system', expression: '…' }]";
  if (value.length > MAX_CONDITIONS) return `use at most ${MAX_CONDITIONS} conditions`;
  const conditions = value as readonly Partial<WebhookCondition>[];
  for (const [index, condition] of conditions.entries()) {
    const { name = '', expression } = condition ?? {};
    const errors = typeof name === 'string' ? qualifiedNameErrors(name) : ['it must be a string'];
    if (errors.length > 0) return `the name of condition ${index + 1} is not valid: ${errors.join('; ')}`;
    if (typeof expression !== 'string' || expression.trim() === '') {
      return `condition '${name}' has no expression; add a CEL expression such as 'request.userInfo.username != "admin"'`;
    }
    if (conditions.findIndex((other) => other.name === name) !== index) {
      return `two conditions have the name '${name}'; give each condition a unique name`;
    }
  }
  return undefined;
}
/** Returns a list of quoted values with `or` before the last one. */
export function listed(values: readonly string[]): string {
  const quoted = values.map((each) => `'${each}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
/** Returns the text of a value for a message. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : `class ${value.name}`;
  return JSON.stringify(value) ?? String(value);
}
