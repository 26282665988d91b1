import type { AdmissionCheck, AdmissionRequest } from '../registry/admission-check.js';
import { type ApiObject, copyJson, type JsonObject, madeAt, objectAt } from '../registry/json-object.js';
import { type CountedResource, inScopes, limitedNames, missingAmounts, quotaUsage } from '../registry/quota-usage.js';
import { systemContext } from '../registry/request-context.js';
import { type Amounts, amountsOf, amountsToJson, sumOf, textOf } from '../registry/resource-amounts.js';
import { forbidden } from '../registry/status-errors.js';

/**
 * Lets nothing in that a ResourceQuota of the namespace has no room for, and counts what it lets in. A quota counts once
 * its controller has written down what it limits.
 */
export const resourceQuota: AdmissionCheck = (request) => {
  const { definition, key, object, context, registry } = request;
  if (!isCounted(request) || object === undefined || key.namespace === undefined) return;
  const quotas = registry.builtIn('/v1/resourcequotas');
  const inNamespace = quotas.list({ namespace: key.namespace }).items;
  const matching = inNamespace.filter((quota) => quotaMatches(quota, definition, object));
  for (const quota of matching) checkAmounts(quota, request);
  for (const quota of matching) {
    const used = usedAfter(quota, request);
    if (used === undefined || context.dryRun) continue;
    const write = systemContext('kube-apiserver', 'update', 'status');
    quotas.update(
      quota.metadata,
      (live) => {
        const next = copyJson(live) as unknown as Record<string, unknown>;
        madeAt(next, 'status')['used'] = amountsToJson(used);
        return next;
      },
      { ...write, fieldManager: 'kube-apiserver' },
    );
  }
};

function isCounted({ operation, definition, context, object, old }: AdmissionRequest): boolean {
  const { storageBucket } = definition;
  if (storageBucket === '/pods') {
    if (context.subresource === 'resize') return operation === 'UPDATE';
    if (context.subresource !== undefined) return false;
    return operation === 'CREATE' || (operation === 'UPDATE' && ends(object) !== ends(old));
  }
  if (context.subresource !== undefined) return false;
  if (storageBucket === '/services' || storageBucket === '/persistentvolumeclaims') return operation !== 'DELETE';
  return operation === 'CREATE';
}

function ends(pod: JsonObject | ApiObject | undefined): boolean {
  return typeof objectAt(pod, 'spec')['activeDeadlineSeconds'] === 'number';
}

/** Whether the object uses something that the quota limits, and is one of those that it is about. */
function quotaMatches(quota: ApiObject, definition: CountedResource, object: JsonObject): boolean {
  return namesOf(quota, definition).length > 0 && inScopes(quota, definition, object);
}

function namesOf(quota: ApiObject, definition: CountedResource): readonly string[] {
  return limitedNames(objectAt(quota, 'status', 'hard'), definition);
}

/** A quota of cpu or memory makes every container say how much of it; what was never counted has no room. */
function checkAmounts(quota: ApiObject, { definition, key, object }: AdmissionRequest): void {
  const names = namesOf(quota, definition);
  const missing = definition.storageBucket === '/pods' && object ? [...missingAmounts(names, object)] : [];
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

/** What the quota has used after the write; undefined when the write uses nothing of it. Throws 403 when it is too much. */
function usedAfter(quota: ApiObject, { definition, key, object, old }: AdmissionRequest): Amounts | undefined {
  if (object === undefined) return undefined;
  const names = new Set(namesOf(quota, definition));
  const before = old !== undefined && quotaMatches(quota, definition, old) ? quotaUsage(definition, old) : new Map();
  const asked = new Map(
    [...quotaUsage(definition, object)].flatMap(([name, amount]) => {
      const nanos = amount.nanos - (before.get(name)?.nanos ?? 0n);
      return names.has(name) && nanos > 0n ? [[name, { nanos, format: amount.format }] as const] : [];
    }),
  );
  if (asked.size === 0) return undefined;
  const used = amountsOf(objectAt(quota, 'status', 'used'));
  const hard = amountsOf(objectAt(quota, 'status', 'hard'));
  const after = sumOf(used, asked);
  const exceeded = [...asked.keys()].filter((name) => {
    const limit = hard.get(name);
    return limit !== undefined && (after.get(name)?.nanos ?? 0n) > limit.nanos;
  });
  if (exceeded.length === 0) return after;
  const shown = (amounts: Amounts): string =>
    exceeded
      .toSorted()
      .map((name) => `${name}=${textOf(amounts.get(name))}`)
      .join(',');
  const why = `exceeded quota: ${quota.metadata.name}, requested: ${shown(asked)}, used: ${shown(used)}, limited: ${shown(hard)}`;
  throw forbidden(definition, key.name, { why });
}
