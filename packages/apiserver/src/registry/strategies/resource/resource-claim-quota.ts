import type { JsonDraft, JsonObject } from '../../objects/api-object.js';
import { isObject, numberAt, objectsAt, stringAt } from '../../objects/json-object.js';
import type { QuotaRules } from '../../quota/quota-rules.js';
import { type Amounts, countOf } from '../../quota/resource-amounts.js';

const classSuffix = '.deviceclass.resource.k8s.io/devices';
const implicitPrefix = 'requests.deviceclass.resource.kubernetes.io/';
/** The number of devices that a request for all devices counts for. */
const mostDevices = 32;

/** The rules by which quotas count the devices of ResourceClaims, separately for each DeviceClass. */
export const resourceClaimQuota: QuotaRules = {
  usage,
  uses: (name) => name.endsWith(classSuffix) || name.startsWith(implicitPrefix),
  counts: ({ operation, subresource }) => subresource === undefined && operation !== 'DELETE',
};

function usage(claim: JsonObject): Amounts {
  const devices = new Map<string, number>();
  for (const request of objectsAt(claim, 'spec', 'devices', 'requests')) {
    const exactly = isObject(request['exactly']) ? [request['exactly']] : [];
    // Of the alternatives of a request, the alternative with the most devices of the class counts.
    const most = new Map<string, number>();
    for (const part of [...objectsAt(request, 'firstAvailable'), ...exactly]) {
      const name = stringAt(part, 'deviceClassName');
      most.set(name, Math.max(most.get(name) ?? 0, devicesOf(part)));
    }
    for (const [name, count] of most) devices.set(name, (devices.get(name) ?? 0) + count);
  }
  return new Map(
    [...devices].flatMap(([name, count]) => [
      [`${name}${classSuffix}`, countOf(count)] as const,
      [`${implicitPrefix}${name}`, countOf(count)] as const,
    ]),
  );
}

function devicesOf(request: JsonDraft): number {
  if (request['allocationMode'] === 'All') return mostDevices;
  return request['allocationMode'] === 'ExactCount' ? (numberAt(request, 'count') ?? 0) : 0;
}
