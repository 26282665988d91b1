import { type Steps, withBreak } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import type { Quantity } from '@kubewright/api/quantity';
import type { ApiObject, JsonDraft } from '../../registry/objects/api-object.js';
import { copyJson, objectAt } from '../../registry/objects/json-object.js';
import { inScopes, limitedNames, quotaUsage } from '../../registry/quota/quota-usage.js';
import { customResourceDefinitionBucket } from '../../registry/registry.js';
import type { Resource } from '../../registry/resource.js';
import { type Amounts, amountsToJson, countOf, sumOf } from '../../registry/quota/resource-amounts.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import type { FeedEvent } from '../work/resource-feed.js';

/** The number of objects that one step counts. */
const objectsPerStep = 100;

/**
 * Writes the limits and the counted usage to the status of each ResourceQuota. Counts again after each change that can decrease the usage.
 */
export class ResourceQuotaController implements Controller {
  readonly name = 'resourcequota-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const { namespace } = object.metadata;
    if (bucket === customResourceDefinitionBucket) {
      for (const quota of this.#quotas.list().items) queue.add(quota.metadata.namespace ?? '');
    }
    if (namespace === undefined) return;
    const changed =
      bucket === '/resourcequotas'
        ? type !== 'DELETED'
        : type === 'DELETED' || (type === 'MODIFIED' && this.#mayUseLess(bucket, object));
    if (changed) queue.add(namespace);
  }

  *sync(namespace: string): Steps<void> {
    for (const { metadata } of this.#quotas.list({ namespace }).items) yield* this.#recount(metadata);
  }

  *#recount(key: ApiObject['metadata']): Steps<void> {
    const quotas = this.#quotas;
    const quota = quotas.find(key);
    if (quota === undefined) return;
    const hard = copyJson(objectAt(quota, 'spec', 'hard'));
    const status = { hard, used: yield* this.#used(quota) };
    yield;
    // A write during the count, such as the charge for a new object, queues the namespace again.
    if (quotas.find(key)?.metadata.resourceVersion !== quota.metadata.resourceVersion) return;
    if (deepEqual(status, quota['status'])) return;
    yield;
    const change = withBreak((): JsonDraft => ({ ...copyJson(quota), status }));
    yield* quotas.updateSteps(key, change, controllerContext(this.name, 'update', 'status'));
  }

  get #quotas(): Resource {
    return this.#setting.registry.builtIn('/v1/resourcequotas');
  }

  #mayUseLess(bucket: string, object: ApiObject): boolean {
    return this.#setting.registry.inBucket(bucket)?.definition.strategy.quotaRules?.mayUseLess?.(object) === true;
  }

  /** Returns the usage of each resource name that the quota limits. Omits a name that does not belong to a served kind. */
  *#used(quota: ApiObject): Steps<Record<string, string>> {
    const { registry } = this.#setting;
    const { namespace } = quota.metadata;
    const total = new Map<string, Quantity>();
    for (const definition of registry.stored()) {
      yield;
      const names = definition.namespaced ? limitedNames(objectAt(quota, 'spec', 'hard'), definition) : [];
      if (names.length === 0) continue;
      let counted: Amounts = new Map();
      for (const [at, stored] of registry.store.list(definition.storageBucket, { namespace }).entries()) {
        const object = registry.asStored(definition, stored).present(stored);
        if (inScopes(quota, definition, object)) counted = sumOf(counted, quotaUsage(definition, object));
        if (at % objectsPerStep === 0) yield;
      }
      for (const name of names) total.set(name, counted.get(name) ?? total.get(name) ?? countOf(0));
    }
    yield;
    return amountsToJson(total);
  }
}
