import type { Quantity } from '@kubewright/api/quantity';
import type { JsonObject } from '../../objects/api-object.js';
import { objectAt } from '../../objects/json-object.js';
import type { QuotaRules } from '../../quota/quota-rules.js';
import { type Amounts, amountsOf, countOf } from '../../quota/resource-amounts.js';
import { matchesNames } from '../../quota/scope-selector.js';
import { attributesClassesOf } from '../rules/attributes-classes-of.js';
import { storageClassOf } from '../rules/storage-class-annotations.js';

const one = countOf(1);
const classSuffix = '.storageclass.storage.k8s.io/';
const limited = ['persistentvolumeclaims', 'requests.storage'];

/** The rules by which quotas count PersistentVolumeClaims: the number and the storage of all claims, and of the claims of each class. */
export const persistentVolumeClaimQuota: QuotaRules = {
  usage,
  uses: (name) => limited.some((known) => name === known || name.endsWith(`${classSuffix}${known}`)),
  isInScope: (claim, selector) =>
    selector['scopeName'] === 'VolumeAttributesClass' && matchesNames(selector, attributesClassesOf(claim)),
  counts: ({ operation, subresource }) => subresource === undefined && operation !== 'DELETE',
  mayUseLess: () => true,
};

function usage(claim: JsonObject): Amounts {
  const used = new Map<string, Quantity>([['persistentvolumeclaims', one]]);
  const storage = storageOf(claim);
  const name = storageClassOf(claim);
  if (storage !== undefined) used.set('requests.storage', storage);
  if (name === '') return used;
  used.set(`${name}${classSuffix}persistentvolumeclaims`, one);
  if (storage !== undefined) used.set(`${name}${classSuffix}requests.storage`, storage);
  return used;
}

/**
 * Returns the storage of a claim, rounded up to whole bytes: the larger of the requested and the allocated amount. Returns undefined if the
 * claim does not request storage.
 */
function storageOf(claim: JsonObject): Quantity | undefined {
  const requested = amountsOf(objectAt(claim, 'spec', 'resources', 'requests')).get('storage');
  if (requested === undefined) return undefined;
  const allocated = amountsOf(objectAt(claim, 'status', 'allocatedResources')).get('storage');
  const { nanos, format } = allocated !== undefined && allocated.nanos > requested.nanos ? allocated : requested;
  return { nanos: ((nanos + one.nanos - 1n) / one.nanos) * one.nanos, format };
}
