import { KubewrightError, valueText } from '@kubewright/api/errors';
import { isObject } from '@kubewright/api/json';
import { labelSelectorFromObject, parseLabelSelector } from '@kubewright/api/selectors';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { behaviourFields, isBehaviourField } from './behaviour-fields.js';
import type { PodBehaviour, PodRule, PodSelector } from './pod-behaviour.js';

/** Tests whether a Pod matches a selector. */
export type PodMatch = (pod: Pick<ApiObject, 'metadata'>) => boolean;

const selectorFields = ['labels', 'name', 'namespace'];

/** Throws INVALID_OPTION for a behavior with an unknown field or an invalid value. The error names the valid choices. */
export function checkBehaviour(behaviour: PodBehaviour, path = 'behaviour'): void {
  checkFields(behaviour, [...Object.keys(behaviourFields), 'containers'], path);
  const { containers = {}, ...fields } = behaviour;
  checkValues(fields, path);
  if (!isObject(containers))
    throw invalid(`${path}.containers`, containers, 'an object whose keys are names of containers');
  for (const [name, own] of Object.entries(containers)) {
    const at = `${path}.containers.${name}`;
    checkFields(own, Object.keys(behaviourFields), at);
    checkValues(own, at);
  }
}

/** Returns a function that tests whether a Pod matches the selector. Throws INVALID_OPTION for a selector that is not valid. */
export function checkedMatch(selector: PodSelector, path = 'selector'): PodMatch {
  if (typeof selector !== 'string') {
    checkFields(selector, selectorFields, path);
    for (const field of ['name', 'namespace'] as const) {
      const value: unknown = selector[field];
      if (value !== undefined && typeof value !== 'string') throw invalid(`${path}.${field}`, value, 'a text');
    }
  }
  try {
    return podMatch(selector);
  } catch (cause) {
    const message = `${failed} ${path}: ${(cause as Error).message}; use a label selector such as 'app=web'`;
    throw new KubewrightError('INVALID_OPTION', message, { cause });
  }
}

/** Throws INVALID_OPTION for a list of rules that is not valid. */
export function checkRules(rules: readonly PodRule[], path: string): void {
  if (!Array.isArray(rules)) throw invalid(path, rules, 'a list of objects with selector and behaviour');
  for (const [at, rule] of rules.entries()) {
    const own = `${path}[${at}]`;
    checkFields(rule, ['behaviour', 'selector'], own);
    checkedMatch(rule.selector ?? {}, `${own}.selector`);
    checkBehaviour(rule.behaviour, `${own}.behaviour`);
  }
}

const failed = 'cannot simulate Pods:';

function checkFields(value: unknown, known: readonly string[], path: string): void {
  if (!isObject(value)) throw invalid(path, value, `an object with ${known.join(', ')}`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new KubewrightError('INVALID_OPTION', `${failed} unknown field ${path}.${unknown}; use ${known.join(', ')}`);
}

function checkValues(fields: object, path: string): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || !isBehaviourField(name)) continue;
    const { choices, isValid } = behaviourFields[name];
    if (!isValid(value)) throw invalid(`${path}.${name}`, value, choices);
  }
}

function invalid(path: string, value: unknown, choices: string): KubewrightError {
  return new KubewrightError('INVALID_OPTION', `${failed} ${path} is ${valueText(value)}; use ${choices}`);
}

/** Returns a function that tests whether a Pod matches the selector. */
function podMatch(selector: PodSelector): PodMatch {
  const { name, namespace, labels = '' } = typeof selector === 'string' ? { labels: selector } : selector;
  const matching =
    typeof labels === 'string' ? parseLabelSelector(labels) : labelSelectorFromObject({ matchLabels: labels });
  return ({ metadata }) =>
    (name === undefined || metadata.name === name) &&
    (namespace === undefined || metadata.namespace === namespace) &&
    matching.matches(metadata.labels ?? {});
}
