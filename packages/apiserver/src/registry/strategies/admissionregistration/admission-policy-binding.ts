import { append } from '@kubewright/api/json';
import { dns1123SubdomainErrors, pathSegmentErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, objectAt, stringAt, textsAt } from '../../objects/json-object.js';
import { formatSelector } from '../../objects/format-selector.js';
import type { Strategy } from '../../definitions/strategy.js';
import { defaultMatchResources, matchResourcesErrors, mutatingOperationErrors } from './admission-rules.js';
import { labelSelectorErrors } from '../rules/field-checks.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const actions = ['Audit', 'Deny', 'Warn'];
const exclusive = 'name and selector are mutually exclusive';

/** The strategy for ValidatingAdmissionPolicyBindings, whose validationActions define the reaction to a violation. */
export const validatingAdmissionPolicyBindingStrategy = bindingStrategy((spec) =>
  actionErrors(textsAt(spec, 'validationActions'), 'spec.validationActions'),
);

/** The strategy for MutatingAdmissionPolicyBindings. */
export const mutatingAdmissionPolicyBindingStrategy: Partial<Strategy> = {
  ...bindingStrategy((spec) =>
    mutatingOperationErrors(objectAt(spec, 'matchResources'), 'spec.matchResources.resourceRules.operations'),
  ),
  storedVersion: 'v1beta1',
};

function bindingStrategy(ownErrors: (spec: JsonDraft) => readonly FieldError[]): Partial<Strategy> {
  const errors = (binding: ApiObject): readonly FieldError[] => {
    const spec = objectAt(binding, 'spec');
    return [...bindingErrors(spec), ...ownErrors(spec)];
  };
  return {
    ownRules: true,
    tracksGeneration: true,
    defaults: (draft) => {
      const spec = madeAt(draft, 'spec');
      if (isObject(spec['matchResources'])) defaultMatchResources(spec['matchResources']);
    },
    validate: errors,
    validateUpdate: errors,
    cells: (binding, now) => [
      binding.metadata.name,
      stringAt(binding, 'spec', 'policyName'),
      parameterText(objectAt(binding, 'spec', 'paramRef')),
      age(binding.metadata.creationTimestamp, now),
    ],
  };
}

function bindingErrors(spec: JsonDraft): readonly FieldError[] {
  const policy = stringAt(spec, 'policyName');
  const errors: FieldError[] =
    policy === ''
      ? [fieldErrors.required('spec.policyName')]
      : dns1123SubdomainErrors(policy).map((why) => fieldErrors.invalid('spec.policyName', policy, why));
  if (isObject(spec['paramRef'])) append(errors, parameterErrors(spec['paramRef'], 'spec.paramRef'));
  if (isObject(spec['matchResources'])) {
    append(errors, matchResourcesErrors(spec['matchResources'], 'spec.matchResources'));
  }
  return errors;
}

function parameterErrors(reference: JsonDraft, path: string): readonly FieldError[] {
  const name = stringAt(reference, 'name');
  const selector = reference['selector'];
  const action = stringAt(reference, 'parameterNotFoundAction');
  const errors: FieldError[] = pathSegmentErrors(name).map((why) => fieldErrors.invalid(`${path}.name`, name, why));
  if (name !== '' && selector !== undefined) errors.push(fieldErrors.forbidden(`${path}.name`, exclusive));
  append(errors, labelSelectorErrors(selector, `${path}.selector`));
  if (name !== '' && selector !== undefined) errors.push(fieldErrors.forbidden(`${path}.selector`, exclusive));
  if (name === '' && selector === undefined) {
    errors.push(fieldErrors.required(path, 'one of name or selector must be specified'));
  }
  if (action === '') errors.push(fieldErrors.required(`${path}.parameterNotFoundAction`));
  else if (action !== 'Deny' && action !== 'Allow') {
    errors.push(fieldErrors.notSupported(`${path}.parameterNotFoundAction`, action, ['Deny', 'Allow']));
  }
  return errors;
}

function actionErrors(given: readonly string[], path: string): readonly FieldError[] {
  const repeated = repeatedPositions(given);
  const errors = errorsOfEach(given, (action, index) => [
    ...(actions.includes(action) ? [] : [fieldErrors.notSupported(`${path}[${index}]`, action, actions)]),
    ...(repeated.has(index) ? [fieldErrors.duplicate(`${path}[${index}]`, action)] : []),
  ]);
  if (given.includes('Deny') && given.includes('Warn')) {
    const why =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and ' +
      'headers serves no purpose)';
    errors.push(fieldErrors.invalid(path, given, why));
  }
  return given.length > 0 ? errors : [fieldErrors.required(path, 'at least one validation action is required')];
}

/** Returns the parameter reference as a table shows it: `namespace/name`, the selector, or `<unset>`. `*` replaces an unset namespace. */
function parameterText(reference: JsonDraft): string {
  const name = stringAt(reference, 'name');
  if (name !== '') return `${stringAt(reference, 'namespace') || '*'}/${name}`;
  return isObject(reference['selector']) ? formatSelector(reference['selector']) : '<unset>';
}
