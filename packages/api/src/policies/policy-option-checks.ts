import { RESERVED_WORDS } from '../cel/syntax/grammar.js';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../names/dns-names.js';
import { qualifiedNameErrors } from '../names/label-names.js';
import { listed, type OptionCheck, oneOf, selectorProblem } from '../webhooks/option-checks.js';

const ACTIONS = ['Deny', 'Warn', 'Audit'];
const MAX_ANNOTATIONS = 20;

/** Checks the names and the expressions of `variables`. Does not compile the expressions. */
export function variablesProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return "use an object such as { name: 'object.metadata.name' }";
  for (const [name, expression] of Object.entries(value)) {
    if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || RESERVED_WORDS.includes(name)) {
      return `'${name}' is not a valid name of a variable; use a CEL identifier such as 'maxSize'`;
    }
    if (isBlank(expression)) return `variable '${name}' has no expression; add a CEL expression`;
  }
  return undefined;
}

/** Checks the keys and the expressions of `auditAnnotations`. Does not compile the expressions. */
export function auditAnnotationsProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return `use an object such as { schedule: "'schedule: ' + object.spec.schedule" }`;
  const entries = Object.entries(value);
  if (entries.length > MAX_ANNOTATIONS) return `use at most ${MAX_ANNOTATIONS} annotations`;
  for (const [key, expression] of entries) {
    const [problem] = qualifiedNameErrors(key);
    if (key.includes('/') || problem !== undefined) {
      return `key '${key}' is not valid: ${problem ?? "it must not contain '/', because the API server adds the name of the policy"}`;
    }
    if (isBlank(expression)) return `key '${key}' has no expression; add a CEL expression`;
  }
  return undefined;
}

const VALIDATION: Readonly<Record<string, OptionCheck>> = {
  rule: (value) => (isBlank(value) ? 'use a CEL expression that evaluates to a boolean' : undefined),
  message: (value) =>
    isBlank(value) || /[\n\r]/.test(String(value).trim()) ? 'use a string without line breaks' : undefined,
  messageExpression: (value) => (isBlank(value) ? 'use a CEL expression that evaluates to a string' : undefined),
  reason: oneOf('Invalid', 'Forbidden', 'RequestEntityTooLarge'),
};

/** Checks the form of `validations`. Does not compile the expressions. */
export function validationsProblem(value: unknown): string | undefined {
  return eachProblem(value, "[{ rule: 'object.spec.replicas <= 5' }]", (validation) =>
    fieldsProblem(validation, VALIDATION, ['rule']),
  );
}

const MUTATION: Readonly<Record<string, OptionCheck>> = {
  apply: (value) => (isBlank(value) ? 'use a CEL expression that evaluates to an Object' : undefined),
  patch: (value) => (isBlank(value) ? 'use a CEL expression that evaluates to a list of JSONPatch' : undefined),
};

/** Checks the form of `mutations`. Does not compile the expressions. */
export function mutationsProblem(value: unknown): string | undefined {
  return eachProblem(value, "[{ apply: 'Object{spec: Object.spec{replicas: 1}}' }]", (mutation) => {
    const problem = fieldsProblem(mutation, MUTATION, []);
    if (problem !== undefined) return problem;
    return (mutation['apply'] === undefined) === (mutation['patch'] === undefined)
      ? "set either 'apply' or 'patch'"
      : undefined;
  });
}

const PARAMS: Readonly<Record<string, OptionCheck>> = {
  name: (value) => (typeof value === 'string' ? dns1123SubdomainErrors(value)[0] : 'use the name of an object'),
  selector: selectorProblem,
  namespace: (value) => (typeof value === 'string' ? dns1123LabelErrors(value)[0] : 'use the name of a namespace'),
  onMissing: oneOf('Deny', 'Allow'),
};

const BINDING: Readonly<Record<string, OptionCheck>> = {
  name: (value) => (typeof value === 'string' ? dns1123LabelErrors(value)[0] : "use a DNS label such as 'production'"),
  actions: actionsProblem,
  params: (value) => {
    if (!isRecord(value)) return "use an object such as { name: 'limits', namespace: 'default' }";
    const problem = fieldsProblem(value, PARAMS, []);
    if (problem !== undefined) return problem;
    return (value['name'] === undefined) === (value['selector'] === undefined)
      ? "set either 'name' or 'selector'"
      : undefined;
  },
  namespaceSelector: selectorProblem,
  objectSelector: selectorProblem,
};

/** Checks the form of `bindings`, and that their names are unique. */
export function bindingsProblem(value: unknown): string | undefined {
  const problem = eachProblem(value, "[{ actions: ['Warn'] }]", (binding) => fieldsProblem(binding, BINDING, []));
  if (problem !== undefined) return problem;
  const bindings = value as readonly Readonly<Record<string, unknown>>[];
  if (bindings.length === 0) return 'use at least one binding, because a policy without a binding has no effect';
  const names = bindings.map(({ name }) => name ?? '');
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return undefined;
  return repeated === ''
    ? 'several bindings have no name; give each binding a unique name'
    : `two bindings have the name '${String(repeated)}'; give each binding a unique name`;
}

function actionsProblem(value: unknown): string | undefined {
  const isFine =
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every((each) => ACTIONS.includes(each));
  if (!isFine) return `use a list of ${listed(ACTIONS)}`;
  return value.includes('Deny') && value.includes('Warn')
    ? "use either 'Deny' or 'Warn', because the response of a rejected request already contains the message"
    : undefined;
}

/** Checks each element of a list. The position precedes the problem. */
function eachProblem(
  value: unknown,
  example: string,
  check: (element: Readonly<Record<string, unknown>>) => string | undefined,
): string | undefined {
  if (!Array.isArray(value)) return `use a list such as ${example}`;
  for (const [index, element] of value.entries()) {
    const problem = isRecord(element) ? check(element) : `use an object, as in ${example}`;
    if (problem !== undefined) return `element ${index + 1}: ${problem}`;
  }
  return undefined;
}

function fieldsProblem(
  value: Readonly<Record<string, unknown>>,
  checks: Readonly<Record<string, OptionCheck>>,
  required: readonly string[],
): string | undefined {
  const missing = required.find((field) => value[field] === undefined);
  if (missing !== undefined) return `${missing} is missing`;
  for (const [field, given] of Object.entries(value)) {
    const check = Object.hasOwn(checks, field) ? checks[field] : undefined;
    if (check === undefined) return `unknown field '${field}'; use one of ${Object.keys(checks).join(', ')}`;
    const problem = given === undefined ? undefined : check(given);
    if (problem !== undefined) return `${field}: ${problem}`;
  }
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}
