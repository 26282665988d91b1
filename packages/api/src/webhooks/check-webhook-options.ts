import { KubewrightError } from '../errors/kubewright-error.js';
import { kindOf } from '../kinds/kind-of.js';
import type { KindInfo } from '../metadata/kind-info.js';
import { dns1123SubdomainErrors } from '../names/dns-names.js';
import type { KindRef, KubeObject } from '../objects/kube-object.js';
import {
  conditionsProblem,
  kindProblem,
  oneOf,
  operationsProblem,
  selectorProblem,
  shown,
  subresourceProblem,
} from './option-checks.js';
import type { AdmissionOptions, ConverterOptions } from './webhook-options.js';
import type { AdmissionType } from './webhook-record.js';

/** An `OptionCheck` that depends on the type of the webhook. */
type Check = (value: unknown, type: AdmissionType) => string | undefined;

const MAX_SECONDS = 30;

const OPERATIONS: Readonly<Record<AdmissionType, readonly string[]>> = {
  defaulter: ['create', 'update'],
  validator: ['create', 'update', 'delete'],
  admission: ['create', 'update', 'delete', 'connect'],
};

const CHECKS: { readonly [K in keyof AdmissionOptions<KubeObject, string>]-?: Check } = {
  for: kindProblem,
  operations: (value, type) => operationsProblem(value, OPERATIONS[type]),
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
  subresource: subresourceProblem,
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
