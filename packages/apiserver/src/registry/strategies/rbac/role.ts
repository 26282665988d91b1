import { KubewrightError } from '@kubewright/api/errors';
import { pathSegmentErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import type { JsonObject } from '../../objects/api-object.js';
import { isObject, objectsAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { labelSelectorErrors } from '../rules/field-checks.js';

/** The strategy for Roles. The rules can apply only to resources. */
export const roleStrategy: Partial<Strategy> = rulesStrategy((role) => rulesErrors(role, { namespaced: true }));

/** The strategy for ClusterRoles. The rules can apply to resources and to non-resource URLs. A ClusterRole can aggregate other roles. */
export const clusterRoleStrategy: Partial<Strategy> = rulesStrategy((role) => [
  ...rulesErrors(role, { namespaced: false }),
  ...aggregationErrors(role),
]);

function rulesStrategy(validate: Strategy['validate']): Partial<Strategy> {
  return {
    allowCreateOnUpdate: true,
    ownRules: true,
    metadataRules: { validatesAgain: true },
    nameErrors: (name) => pathSegmentErrors(name),
    validate,
    validateUpdate: validate,
    cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
  };
}

function rulesErrors(role: unknown, scope: { readonly namespaced: boolean }): readonly FieldError[] {
  return errorsOfEach(objectsAt(role, 'rules'), (rule, index) => ruleErrors(rule, `rules[${index}]`, scope));
}

function ruleErrors(
  rule: JsonObject,
  path: string,
  { namespaced }: { readonly namespaced: boolean },
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (!has(rule, 'verbs')) {
    errors.push(fieldErrors.required(`${path}.verbs`, 'verbs must contain at least one value'));
  }
  const urls = rule['nonResourceURLs'];
  if (has(rule, 'nonResourceURLs')) {
    const refuse = (why: string): void => {
      errors.push(fieldErrors.invalid(`${path}.nonResourceURLs`, urls, why));
    };
    if (namespaced) refuse('namespaced rules cannot apply to non-resource URLs');
    if (has(rule, 'apiGroups') || has(rule, 'resources') || has(rule, 'resourceNames')) {
      refuse('rules cannot apply to both regular resources and non-resource URLs');
    }
    return errors;
  }
  if (!has(rule, 'apiGroups')) {
    errors.push(fieldErrors.required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (!has(rule, 'resources')) {
    errors.push(fieldErrors.required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function aggregationErrors(role: unknown): readonly FieldError[] {
  if (!isObject(valueAt(role, 'aggregationRule'))) return [];
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = objectsAt(role, 'aggregationRule', 'clusterRoleSelectors');
  if (selectors.length > 0) return errorsOfEach(selectors, (each, index) => selectorErrors(each, `${path}[${index}]`));
  return [fieldErrors.required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
}

function selectorErrors(selector: JsonObject, path: string): readonly FieldError[] {
  const errors = labelSelectorErrors(selector, path);
  try {
    labelSelectorFromObject(selector);
    return errors;
  } catch (error) {
    if (!(error instanceof KubewrightError)) throw error;
    return [...errors, fieldErrors.invalid(path, null, 'invalid label selector.')];
  }
}

function has(rule: JsonObject, field: string): boolean {
  const value = rule[field];
  return Array.isArray(value) && value.length > 0;
}
