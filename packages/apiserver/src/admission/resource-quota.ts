import type { AdmissionRequest, Charge } from '../registry/admission/admission-check.js';
import type { ApiObject, JsonObject } from '../registry/objects/api-object.js';
import { objectAt } from '../registry/objects/json-object.js';
import type { PreparedUpdate } from '../registry/admission/prepared-update.js';
import { type CountedResource, inScopes, limitedNames, quotaUsage } from '../registry/quota/quota-usage.js';
import { systemContext } from '../registry/requests/request-context.js';
import { type Amounts, amountsOf, amountsToJson, sumOf, textOf } from '../registry/quota/resource-amounts.js';
import { forbidden } from '../registry/requests/status-errors.js';

/** A ResourceQuota that applies to a request, and the names of its limits that apply to the requested resource. */
interface Matching {
  readonly quota: ApiObject;
  readonly names: readonly string[];
}

/**
 * Prepares the updates that add the resources of a written object to the usage of the ResourceQuotas in its namespace. Throws 403 if the
 * write exceeds a quota, if a container does not specify an amount that a quota limits, or if the quota does not contain the usage of a
 * limited resource yet. A quota applies after the quota controller has written the limits to `status.hard`.
 */
export const resourceQuota: Charge = function* (request) {
  const { definition, key, object, context, registry } = request;
  if (!isCounted(request) || object === undefined || key.namespace === undefined) return [];
  const quotas = registry.builtIn('/v1/resourcequotas');
  const matching: Matching[] = [];
  for (const quota of quotas.list({ namespace: key.namespace }).items) {
    const names = namesOf(quota, definition);
    if (names.length > 0 && inScopes(quota, definition, object)) matching.push({ quota, names });
    yield;
  }
  for (const each of matching) checkAmounts(each, request);
  const updates: PreparedUpdate[] = [];
  for (const { quota, names } of matching) {
    const requested = requestedAmounts(quota, names, request);
    if (requested.size === 0) continue;
    checkUsed(quota, requested, request);
    if (context.dryRun || quotas.find(quota.metadata) === undefined) continue;
    // The quota can change before the update is written, so the update is computed from the current quota.
    const charged = (live: ApiObject): object => {
      const used = checkUsed(live, requested, request);
      const status = objectAt(live, 'status');
      return { ...live, status: { ...status, used: { ...objectAt(status, 'used'), ...amountsToJson(used) } } };
    };
    const write = { ...systemContext('kube-apiserver', 'update', 'status'), fieldManager: 'kube-apiserver' };
    updates.push(yield* quotas.prepareUpdateSteps(quota.metadata, charged, write));
    yield;
  }
  return updates;
};

function isCounted({ operation, definition, context, object, old }: AdmissionRequest): boolean {
  const { subresource } = context;
  if (operation === 'CONNECT') return false;
  const counts = definition.strategy.quotaRules?.counts;
  if (counts !== undefined) return counts({ operation, subresource, object, old });
  return subresource === undefined && operation === 'CREATE';
}

function namesOf(quota: ApiObject, definition: CountedResource): readonly string[] {
  return limitedNames(objectAt(quota, 'status', 'hard'), definition);
}

/** Throws 403 if a container does not specify an amount that the quota limits, or if the quota has no usage for a limited resource yet. */
function checkAmounts({ quota, names }: Matching, { definition, key, object }: AdmissionRequest): void {
  const missing = object === undefined ? [] : [...(definition.strategy.quotaRules?.undeclared?.(names, object) ?? [])];
  if (missing.length > 0) {
    const texts = missing.map(([name, containers]) => `${name} for: ${containers.join(',')}`);
    const why = `failed quota: ${quota.metadata.name}: must specify ${texts.join('; ')}`;
    throw forbidden(definition, key.name, { why });
  }
  const counted = objectAt(quota, 'status', 'used');
  if (names.every((name) => counted[name] !== undefined)) return;
  const why = `status unknown for quota: ${quota.metadata.name}, resources: ${names.toSorted().join(',')}`;
  throw forbidden(definition, key.name, { why });
}

/** Returns the amounts that the write adds to the usage of the quota. */
function requestedAmounts(
  quota: ApiObject,
  names: readonly string[],
  { definition, object, old }: AdmissionRequest,
): Amounts {
  const limited = new Set(names);
  const counted = old !== undefined && inScopes(quota, definition, old);
  const before: Amounts = counted ? quotaUsage(definition, old) : new Map();
  const after = object === undefined ? [] : quotaUsage(definition, object);
  return new Map(
    [...after].flatMap(([name, amount]) => {
      const nanos = amount.nanos - (before.get(name)?.nanos ?? 0n);
      return limited.has(name) && nanos > 0n ? [[name, { nanos, format: amount.format }] as const] : [];
    }),
  );
}

/** Returns the used amounts of the requested resources after the write. Throws 403 if an amount exceeds its limit. */
function checkUsed(quota: ApiObject, requested: Amounts, { definition, key }: AdmissionRequest): Amounts {
  const names = [...requested.keys()];
  const used = amountsOf(partOf(objectAt(quota, 'status', 'used'), names));
  const hard = amountsOf(partOf(objectAt(quota, 'status', 'hard'), names));
  const after = sumOf(used, requested);
  const exceeded = names.filter((name) => {
    const limit = hard.get(name);
    return limit !== undefined && (after.get(name)?.nanos ?? 0n) > limit.nanos;
  });
  if (exceeded.length === 0) return after;
  const shown = (amounts: Amounts): string =>
    exceeded
      .toSorted()
      .map((name) => `${name}=${textOf(amounts.get(name))}`)
      .join(',');
  const why = `exceeded quota: ${quota.metadata.name}, requested: ${shown(requested)}, used: ${shown(used)}, limited: ${shown(hard)}`;
  throw forbidden(definition, key.name, { why });
}

function partOf(amounts: JsonObject, names: readonly string[]): JsonObject {
  const fields = names.flatMap((name) => (amounts[name] === undefined ? [] : [[name, amounts[name]] as const]));
  return Object.fromEntries(fields);
}
