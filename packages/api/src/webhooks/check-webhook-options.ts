import { KubewrightError } from '../errors/kubewright-error.js';
import { messageOf } from '../errors/message-of.js';
import { kindOf } from '../kinds/kind-of.js';
import type { KindInfo } from '../metadata/kind-info.js';
import { dns1123SubdomainErrors } from '../names/dns-names.js';
import { qualifiedNameErrors } from '../names/label-names.js';
import type { KindRef, KubeObject } from '../objects/kube-object.js';
import { labelSelectorFromObject } from '../selectors/label-selector.js';
import type { AdmissionOptions, ConverterOptions, WebhookCondition } from './webhook-options.js';
import type { AdmissionType } from './webhook-record.js';

/** Checks the value of an option. Returns the violated rule with the fix, or undefined for a valid value. */
type Check = (value: unknown, type: AdmissionType) => string | undefined;

const MAX_CONDITIONS = 64;
const MAX_SECONDS = 30;

const OPERATIONS: Readonly<Record<AdmissionType, readonly string[]>> = {
  defaulter: ['create', 'update'],
  validator: ['create', 'update', 'delete'],
  admission: ['create', 'update', 'delete', 'connect'],
};

const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string) ? undefined : `use ${listed(values)}`;

const CHECKS: { readonly [K in keyof AdmissionOptions<KubeObject, string>]-?: Check } = {
  for: kindProblem,
  operations: operationsProblem,
  failurePolicy: oneOf('Fail', 'Ignore'),
  timeoutSeconds: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SECONDS
      ? undefined
      : `use an integer from 1 to ${MAX_SECONDS}`,
  sideEffects: oneOf('None', 'NoneOnDryRun'),
  matchPolicy: oneOf('Exact', 'Equivalent'),
  namespaceSelector: selectorProblem,
  objectSelector: selectorProblem,
  matchConditions: conditionsProblem,
  name: nameProblem,
  path: pathProblem,
  reinvocationPolicy: oneOf('Never', 'IfNeeded'),
  subresource: (value) =>
    typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value)
      ? undefined
      : "use the name of a subresource in lower case, such as 'scale'",
};

/** The options that only some types of webhooks have. */
const ONLY: Readonly<Record<string, readonly AdmissionType[]>> = {
  reinvocationPolicy: ['defaulter', 'admission'],
  subresource: ['admission'],
};

/**
 * Validates the options of an admission webhook. `where` names the webhook in the message.
 * @throws KubewrightError INVALID_WEBHOOK with the option, the reason and the fix
 */
export function checkWebhookOptions(type: AdmissionType, options: object, where: string): void {
  const given: Readonly<Record<string, unknown>> = { for: undefined, ...options };
  for (const [option, value] of Object.entries(given)) {
    if (!isOption(option, type)) {
      const known = Object.keys(CHECKS).filter((each) => isOption(each, type));
      throw invalidWebhook(where, `unknown option '${option}'; use one of ${known.join(', ')}`);
    }
    if (value === undefined && option !== 'for') continue;
    const problem = CHECKS[option](value, type);
    if (problem !== undefined) throw invalidWebhook(where, `${option} is ${shown(value)}: ${problem}`);
  }
}

/**
 * Validates the options of a converter. `where` names the converter in the message.
 * @throws KubewrightError INVALID_WEBHOOK with the option, the reason and the fix
 */
export function checkConverterOptions(options: object, where: string): void {
  assertOptions(options, ['from', 'hub', 'lossless'], where);
  const { from, hub, lossless } = options as Partial<ConverterOptions<KubeObject, KubeObject>>;
  for (const [option, value] of Object.entries({ from, hub })) {
    const problem = kindProblem(value);
    if (problem !== undefined) throw invalidWebhook(where, `${option} is ${shown(value)}: ${problem}`);
  }
  if (lossless !== undefined && typeof lossless !== 'boolean') {
    throw invalidWebhook(where, `lossless is ${shown(lossless)}: use true or false`);
  }
  const problem = versionsProblem(kindOf(from as KindRef), kindOf(hub as KindRef));
  if (problem !== undefined) throw invalidWebhook(where, problem);
}

/**
 * Validates the options of an authentication webhook. `where` names the webhook in the message.
 * @throws KubewrightError INVALID_WEBHOOK with the option, the reason and the fix
 */
export function checkAuthenticatorOptions(options: object, where: string): void {
  assertOptions(options, ['path'], where);
  const { path } = options as Readonly<Record<string, unknown>>;
  const problem = path === undefined ? undefined : pathProblem(path);
  if (problem !== undefined) throw invalidWebhook(where, `path is ${shown(path)}: ${problem}`);
}

/** Returns the error of an invalid webhook. `where` is the class or the name of the webhook. */
export function invalidWebhook(where: string, problem: string): KubewrightError {
  return new KubewrightError('INVALID_WEBHOOK', `cannot load the webhook of ${where}: ${problem}`);
}

function assertOptions(options: object, known: readonly string[], where: string): void {
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown === undefined) return;
  throw invalidWebhook(where, `unknown option '${unknown}'; use one of ${known.join(', ')}`);
}
function pathProblem(value: unknown): string | undefined {
  return typeof value === 'string' && /^(\/[A-Za-z0-9_-]+)+$/.test(value) && value !== '/convert'
    ? undefined
    : "use segments of letters, digits, '-' and '_', such as '/validate-cronjob'; '/convert' is the path of conversions";
}
function versionsProblem(from: KindInfo, hub: KindInfo): string | undefined {
  const names = `${from.apiVersion} ${from.kind} and ${hub.apiVersion} ${hub.kind}`;
  if (from.group !== hub.group) return `cannot convert between ${names}: use two versions of the same group`;
  if (from.kind !== hub.kind) return `cannot convert between ${names}: use two versions of the same kind`;
  if (from.version === hub.version) return `from and hub are both ${hub.apiVersion} ${hub.kind}: use two versions`;
  return undefined;
}
function kindProblem(value: unknown): string | undefined {
  try {
    kindOf(value as KindRef);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
function operationsProblem(value: unknown, type: AdmissionType): string | undefined {
  const known = OPERATIONS[type];
  const isFine =
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every((each) => known.includes(each));
  return isFine ? undefined : `use a list of ${listed(known)}`;
}
function selectorProblem(value: unknown): string | undefined {
  try {
    if (typeof value !== 'object' || value === null) return "use an object such as { matchLabels: { tier: 'web' } }";
    labelSelectorFromObject(value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
function conditionsProblem(value: unknown): string | undefined {
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
function nameProblem(value: unknown): string | undefined {
  const isFine =
    typeof value === 'string' && dns1123SubdomainErrors(value).length === 0 && value.split('.').length >= 3;
  return isFine
    ? undefined
    : "use a domain name in lower case with at least three segments, such as 'cronjob.example.com'";
}
function isOption(name: string, type: AdmissionType): name is keyof typeof CHECKS {
  return Object.hasOwn(CHECKS, name) && (ONLY[name]?.includes(type) ?? true);
}
function listed(values: readonly string[]): string {
  const quoted = values.map((each) => `'${each}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
function shown(value: unknown): string {
  if (typeof value === 'function') return value.name === '' ? 'a function' : `class ${value.name}`;
  return JSON.stringify(value) ?? String(value);
}
