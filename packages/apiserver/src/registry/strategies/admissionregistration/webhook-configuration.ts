import { webhookClientErrors } from '@kubewright/api/crd';
import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { defaultRules, ruleErrors } from './admission-rules.js';
import { matchConditionErrors } from './expression-errors.js';
import { fill, labelSelectorErrors } from '../rules/field-checks.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const reviewVersions = ['v1', 'v1beta1'];
const choices = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  sideEffects: ['None', 'NoneOnDryRun'],
  reinvocationPolicy: ['IfNeeded', 'Never'],
} as const;
const longestTimeout = 30;

/** The strategy for ValidatingWebhookConfigurations. */
export const validatingWebhookConfigurationStrategy = webhookConfigurationStrategy({ reinvoked: false });

/** The strategy for MutatingWebhookConfigurations. Unlike validating webhooks, mutating webhooks have a reinvocationPolicy. */
export const mutatingWebhookConfigurationStrategy = webhookConfigurationStrategy({ reinvoked: true });

function webhookConfigurationStrategy({ reinvoked }: { readonly reinvoked: boolean }): Partial<Strategy> {
  return {
    ownRules: true,
    tracksGeneration: true,
    defaults: (draft) => {
      for (const webhook of objectsAt(draft, 'webhooks')) defaultWebhook(webhook, reinvoked);
    },
    prepareForUpdate: (draft, old) => {
      if (deepEqual(draft['webhooks'], old['webhooks'])) return;
      draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate: configurationErrors,
    validateUpdate: configurationErrors,
    cells: (configuration, now) => [
      configuration.metadata.name,
      objectsAt(configuration, 'webhooks').length,
      age(configuration.metadata.creationTimestamp, now),
    ],
  };
}

function defaultWebhook(webhook: JsonDraft, reinvoked: boolean): void {
  fill(webhook, { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 });
  webhook['name'] ??= '';
  if (textsAt(webhook, 'admissionReviewVersions').length === 0) webhook['admissionReviewVersions'] = null;
  webhook['sideEffects'] ??= null;
  if (reinvoked) fill(webhook, { reinvocationPolicy: 'Never' });
  for (const field of ['namespaceSelector', 'objectSelector', 'clientConfig']) madeAt(webhook, field);
  defaultRules(objectsAt(webhook, 'rules'));
  const { service } = objectAt(webhook, 'clientConfig');
  if (isObject(service)) fill(service, { port: 443 });
}

function configurationErrors(configuration: ApiObject, old?: ApiObject): readonly FieldError[] {
  const webhooks = objectsAt(configuration, 'webhooks');
  const checksConditions = old === undefined || !deepEqual(conditionsOf(configuration), conditionsOf(old));
  const names = webhooks.map((webhook) => stringAt(webhook, 'name'));
  const repeated = repeatedPositions(names);
  return errorsOfEach(webhooks, (webhook, index) => {
    const path = `webhooks[${index}]`;
    const name = names[index] ?? '';
    const errors = [
      ...webhookErrors(webhook, path),
      ...(checksConditions ? matchConditionErrors(webhook, path) : []),
      ...versionErrors(webhook, `${path}.admissionReviewVersions`),
    ];
    if (name !== '' && repeated.has(index)) errors.push(fieldErrors.duplicate(`${path}.name`, name));
    return errors;
  });
}

function conditionsOf(configuration: ApiObject): readonly unknown[] {
  return objectsAt(configuration, 'webhooks').map((webhook) => objectsAt(webhook, 'matchConditions'));
}

function webhookErrors(webhook: JsonDraft, path: string): readonly FieldError[] {
  const errors = [...qualifiedNameErrors(stringAt(webhook, 'name'), `${path}.name`)];
  const rules = objectsAt(webhook, 'rules');
  append(
    errors,
    errorsOfEach(rules, (rule, index) => ruleErrors(rule, `${path}.rules[${index}]`)),
  );
  append(errors, choiceErrors(webhook, 'failurePolicy', path), choiceErrors(webhook, 'matchPolicy', path));
  if (typeof webhook['sideEffects'] !== 'string') {
    errors.push(fieldErrors.required(`${path}.sideEffects`, `must specify one of ${choices.sideEffects.join(', ')}`));
  }
  append(errors, choiceErrors(webhook, 'sideEffects', path));
  const timeout = numberAt(webhook, 'timeoutSeconds') ?? 0;
  if (timeout < 1 || timeout > longestTimeout) {
    const why = `the timeout value must be between 1 and ${longestTimeout} seconds`;
    errors.push(fieldErrors.invalid(`${path}.timeoutSeconds`, timeout, why));
  }
  for (const field of ['namespaceSelector', 'objectSelector']) {
    append(errors, labelSelectorErrors(webhook[field], `${path}.${field}`));
  }
  append(errors, choiceErrors(webhook, 'reinvocationPolicy', path));
  return [...errors, ...webhookClientErrors(objectAt(webhook, 'clientConfig'), `${path}.clientConfig`)];
}

function choiceErrors(webhook: JsonDraft, field: keyof typeof choices, path: string): readonly FieldError[] {
  const value = webhook[field];
  if (typeof value !== 'string' || (choices[field] as readonly string[]).includes(value)) return [];
  return [fieldErrors.notSupported(`${path}.${field}`, value, choices[field])];
}

/** Returns the errors of a webhook name. A name is a domain with at least three segments. */
function qualifiedNameErrors(name: string, path: string): readonly FieldError[] {
  if (name === '') return [fieldErrors.required(path)];
  const errors = dns1123SubdomainErrors(name);
  if (errors.length > 0) return [fieldErrors.invalid(path, name, errors.join(','))];
  if (name.split('.').length >= 3) return [];
  return [fieldErrors.invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}

function versionErrors(webhook: JsonDraft, path: string): readonly FieldError[] {
  const versions = textsAt(webhook, 'admissionReviewVersions');
  const known = reviewVersions.join(', ');
  if (versions.length === 0) return [fieldErrors.required(path, `must specify one of ${known}`)];
  const repeated = repeatedPositions(versions);
  const errors = errorsOfEach(versions, (version, index) => {
    const at = `${path}[${index}]`;
    if (repeated.has(index)) return [fieldErrors.invalid(at, version, 'duplicate version')];
    return dns1035LabelErrors(version).map((why) => fieldErrors.invalid(at, version, why));
  });
  if (versions.some((version) => reviewVersions.includes(version))) return errors;
  return [...errors, fieldErrors.invalid(path, versions, `must include at least one of ${known}`)];
}
