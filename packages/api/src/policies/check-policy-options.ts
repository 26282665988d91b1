import { KubewrightError } from '../errors/kubewright-error.js';
import { dns1123LabelErrors } from '../names/dns-names.js';
import {
  conditionsProblem,
  kindProblem,
  oneOf,
  operationsProblem,
  type OptionCheck,
  selectorProblem,
  shown,
  subresourceProblem,
} from '../webhooks/option-checks.js';
import {
  auditAnnotationsProblem,
  bindingsProblem,
  mutationsProblem,
  validationsProblem,
  variablesProblem,
} from './policy-option-checks.js';
import { contradiction } from './policy-contradictions.js';
import type { PolicyOptions } from './policy-options.js';

const OPERATIONS = ['create', 'update', 'delete', 'connect'];

const CHECKS: { readonly [K in keyof PolicyOptions]-?: OptionCheck } = {
  for: kindProblem,
  subresource: subresourceProblem,
  operations: (value) => operationsProblem(value, OPERATIONS),
  variables: variablesProblem,
  validations: validationsProblem,
  auditAnnotations: auditAnnotationsProblem,
  mutations: mutationsProblem,
  matchConditions: conditionsProblem,
  namespaceSelector: selectorProblem,
  objectSelector: selectorProblem,
  failurePolicy: oneOf('Fail', 'Ignore'),
  matchPolicy: oneOf('Exact', 'Equivalent'),
  reinvocationPolicy: oneOf('Never', 'IfNeeded'),
  params: kindProblem,
  bindings: bindingsProblem,
  name: (value) =>
    typeof value === 'string' ? dns1123LabelErrors(value)[0] : "use a DNS label such as 'cron-job-names'",
};

/**
 * Validates the options of a policy. Does not compile the expressions. `where` names the policy in the message.
 * @throws KubewrightError INVALID_POLICY with the option, the reason and the fix
 */
export function checkPolicyOptions(options: object, where: string): void {
  const given: Readonly<Record<string, unknown>> = { for: undefined, ...options };
  for (const [option, value] of Object.entries(given)) {
    if (!isOption(option)) {
      throw invalidPolicy(where, `unknown option '${option}'; use one of ${Object.keys(CHECKS).join(', ')}`);
    }
    if (value === undefined && option !== 'for') continue;
    const problem = CHECKS[option](value);
    if (problem !== undefined) throw invalidPolicy(where, `${option} is ${shown(value)}: ${problem}`);
  }
  const problem = contradiction(options as PolicyOptions);
  if (problem !== undefined) throw invalidPolicy(where, problem);
}

/** Returns the error of an invalid policy. `where` is the class or the name of the policy. */
export function invalidPolicy(where: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_POLICY', `cannot load the policy of ${where}: ${problem}`);
}

function isOption(name: string): name is keyof typeof CHECKS {
  return Object.hasOwn(CHECKS, name);
}
