import { append } from '@kubewright/api/json';
import { qualifiedNameErrors } from '@kubewright/api/names';
import { compareQuantities, parseQuantity } from '@kubewright/api/quantity';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import type { JsonDraft } from '../../../objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../objects/json-object.js';
import { labelNameErrors } from './value-rules.js';
import type { ClaimNames } from './claim-names.js';

const one = 1_000_000_000n;
const milli = one / 1000n;
const counted = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const compute = ['cpu', 'memory', 'ephemeral-storage'];
const quotaNames: ReadonlySet<string> = new Set([
  ...compute,
  ...compute.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...counted,
]);

/** Whether amounts of the resource must be integers. */
export function isCounted(name: string): boolean {
  return counted.includes(name) || isExtended(name);
}

/** Whether a limit of the resource can be larger than the request. */
export function isOvercommitted(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** Whether the resource is a huge page resource. */
export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Returns the errors of a resource name in any context. */
export function resourceNameErrors(name: string, path: string): readonly FieldError[] {
  const errors = qualifiedNameErrors(name).map((why) => fieldErrors.invalid(path, name, why));
  if (errors.length > 0 || name.includes('/')) return errors;
  if (quotaNames.has(name) || name === 'storage' || isQuotaHugePages(name)) return [];
  return [fieldErrors.invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** Returns the errors of a resource name in a quota. */
export function quotaNameErrors(name: string, path: string): readonly FieldError[] {
  const errors = [...resourceNameErrors(name, path)];
  if (!name.includes('/') && !quotaNames.has(name) && !isQuotaHugePages(name)) {
    errors.push(fieldErrors.invalid(path, name, 'must be a standard resource for quota'));
  }
  return errors;
}

/** Returns the errors of a resource name in a container. */
export function containerResourceNameErrors(name: string, path: string): readonly FieldError[] {
  const errors = [...resourceNameErrors(name, path)];
  if (!name.includes('/')) {
    if (!compute.includes(name) && !isHugePages(name)) {
      errors.push(fieldErrors.invalid(path, name, 'must be a standard resource for containers'));
    }
  } else if (!isNative(name) && !isExtended(name)) {
    errors.push(fieldErrors.invalid(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

/** Returns the errors of a resource amount: negative amounts, and fractions of counted resources. */
export function amountErrors(name: string, amount: string, path: string): readonly FieldError[] {
  const { nanos } = parseQuantity(amount);
  const errors: FieldError[] = [];
  if (nanos < 0n) errors.push(fieldErrors.invalid(path, amount, 'must be greater than or equal to 0'));
  if (isCounted(name) && !isWhole(nanos)) errors.push(fieldErrors.invalid(path, amount, 'must be an integer'));
  return errors;
}

/** Whether the amount is an integer. Like kube-apiserver, uses the last 64 bits of the amount in thousandths. */
function isWhole(nanos: bigint): boolean {
  const thousandths = nanos / milli + (nanos % milli > 0n ? 1n : 0n);
  return BigInt.asIntN(64, thousandths) % 1000n === 0n;
}

/** The Pod settings that the resource requirements of a container can refer to. */
export interface RequirementSetting {
  readonly claims: ClaimNames;
  /** Returns the errors of a resource name. @default the rules of containers */
  readonly nameErrors?: typeof containerResourceNameErrors;
}

/** Returns the errors of limits and requests. */
export function requirementErrors(
  resources: JsonDraft,
  path: string,
  { claims, nameErrors = containerResourceNameErrors }: RequirementSetting,
): readonly FieldError[] {
  const limits = objectAt(resources, 'limits');
  const requests = objectAt(resources, 'requests');
  const errors = [...listErrors(limits, `${path}.limits`, nameErrors)];
  for (const [name, request] of Object.entries(requests)) {
    const at = `${path}.requests[${name}]`;
    append(errors, nameErrors(name, at), amountErrors(name, String(request), at));
    append(errors, limitErrors(name, String(request), { limit: limits[name], path }));
    append(errors, pageErrors(name, String(request), at));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(fieldErrors.forbidden(path, 'HugePages require cpu or memory'));
  }
  return [...errors, ...claimErrors(objectsAt(resources, 'claims'), `${path}.claims`, claims)];
}

/** Returns the errors of a map from resource names to amounts, such as the limits of a container. */
export function listErrors(
  amounts: JsonDraft,
  path: string,
  nameErrors = containerResourceNameErrors,
): readonly FieldError[] {
  return errorsOfEach(Object.entries(amounts), ([name, amount]) => {
    const at = `${path}[${name}]`;
    return [
      ...nameErrors(name, at),
      ...amountErrors(name, String(amount), at),
      ...pageErrors(name, String(amount), at),
    ];
  });
}

function limitErrors(
  name: string,
  request: string,
  { limit, path }: { readonly limit: unknown; readonly path: string },
): readonly FieldError[] {
  const overcommits = isOvercommitted(name);
  if (limit === undefined) {
    const why = 'Limit must be set for non overcommitable resources';
    return overcommits ? [] : [fieldErrors.required(`${path}.limits`, why)];
  }
  const compared = compareQuantities(request, String(limit));
  const rule = overcommits ? 'must be less than or equal to' : 'must be equal to';
  if (overcommits ? compared <= 0 : compared === 0) return [];
  return [fieldErrors.invalid(`${path}.requests`, request, `${rule} ${name} limit of ${String(limit)}`)];
}

function pageErrors(name: string, amount: string, path: string): readonly FieldError[] {
  if (!isHugePages(name)) return [];
  try {
    const page = parseQuantity(name.slice('hugepages-'.length)).nanos;
    if (page > 0n && page % one === 0n && parseQuantity(amount).nanos % page === 0n) return [];
  } catch {
    // An invalid page size does not divide any amount.
  }
  return [fieldErrors.invalid(path, amount, `${amount} is not positive integer multiple of ${name}`)];
}

function claimErrors(claims: readonly JsonDraft[], path: string, known: ClaimNames): readonly FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(claims, (claim, index) => {
    const at = `${path}[${index}]`;
    const name = stringAt(claim, 'name');
    if (name === '') return [fieldErrors.required(at)];
    const request = stringAt(claim, 'request');
    const key = request === '' ? name : `${name}/${request}`;
    const errors = request === '' ? [] : [...labelNameErrors(request, `${at}.request`)];
    if (seen.has(key) || seen.has(name)) errors.push(fieldErrors.duplicate(at, key));
    seen.add(key);
    if (!known.has(name)) {
      const { reason, message } = fieldErrors.notFound(at, name);
      const why = `${message}: must be one of the names in pod.spec.resourceClaims${known.listed}`;
      errors.push({ reason, field: at, message: why });
    }
    return errors;
  });
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith('requests.hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && qualifiedNameErrors(`requests.${name}`).length === 0;
}
