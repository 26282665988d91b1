import { deepEqual } from '@kubewright/api/patch';
import { type ApiObject, copyJson, type JsonDraft, objectAt, stringAt } from '../registry/json-object.js';
import { limitedNames, quotaMatches, quotaUsage } from '../registry/quota-usage.js';
import { type Amounts, amountsToJson, countOf, sumOf } from '../registry/resource-amounts.js';
import type { Controller, ControllerSetting, KeyQueue } from './controller.js';
import { controllerContext } from './controller-context.js';
import type { FeedEvent } from './resource-feed.js';

/** Writes down what each ResourceQuota limits, and what its namespace uses of that, when something has gone. */
export class ResourceQuotaController implements Controller {
  readonly name = 'resourcequota-controller';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    const { namespace } = object.metadata;
    if (namespace === undefined) return;
    const ended = bucket === '/pods' && ['Succeeded', 'Failed'].includes(stringAt(object, 'status', 'phase'));
    if (bucket === '/resourcequotas' ? type !== 'DELETED' : type === 'DELETED' || ended) queue.add(namespace);
  }

  sync(namespace: string): void {
    const quotas = this.#setting.registry.builtIn('/v1/resourcequotas');
    for (const quota of quotas.list({ namespace }).items) {
      const hard = copyJson(objectAt(quota, 'spec', 'hard'));
      const status = { hard, used: this.#used(quota) };
      if (deepEqual(status, quota['status'])) continue;
      const change = (live: ApiObject): JsonDraft => ({ ...copyJson(live), status });
      quotas.update(quota.metadata, change, controllerContext(this.name, 'update', 'status'));
    }
  }

  #used(quota: ApiObject): Record<string, string> {
    const { registry } = this.#setting;
    const { namespace } = quota.metadata;
    const limited = Object.keys(objectAt(quota, 'spec', 'hard'));
    let used: Amounts = new Map(limited.map((name) => [name, countOf(0)]));
    for (const definition of registry.stored()) {
      if (!definition.namespaced || limitedNames(quota, definition).length === 0) continue;
      for (const object of registry.resource(definition).list({ namespace }).items) {
        if (quotaMatches(quota, definition, object)) used = sumOf(used, quotaUsage(definition, object));
      }
    }
    return amountsToJson(new Map([...used].filter(([name]) => limited.includes(name))));
  }
}
