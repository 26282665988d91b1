import type { Steps } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import { aggregatedRules } from '../../registry/strategies/rbac/aggregated-rules.js';
import { isObject, objectsAt } from '../../registry/objects/json-object.js';
import { applyFields } from '../work/apply-fields.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import type { FeedEvent } from '../work/resource-feed.js';

const bucket = 'rbac.authorization.k8s.io/clusterroles';

/** Sets the rules of each ClusterRole with an aggregationRule to the rules of all ClusterRoles that the aggregationRule selects. */
export class ClusterRoleAggregation implements Controller {
  readonly name = 'clusterrole-aggregation-controller';
  readonly #setting: ControllerSetting;
  readonly #aggregating = new Set<string>();

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe(event: FeedEvent, queue: KeyQueue): void {
    if (event.bucket !== bucket) return;
    const { object, type } = event;
    if (type !== 'DELETED' && isObject(object['aggregationRule'])) this.#aggregating.add(object.metadata.name);
    else this.#aggregating.delete(object.metadata.name);
    for (const name of this.#aggregating) queue.add(name);
  }

  *sync(name: string): Steps<void> {
    const { registry } = this.#setting;
    const roles = registry.builtIn('rbac.authorization.k8s.io/v1/clusterroles');
    const live = roles.find({ name });
    if (live === undefined || !isObject(live['aggregationRule'])) return;
    const rules = aggregatedRules(live, registry.store.list(bucket));
    if (deepEqual(rules, objectsAt(live, 'rules'))) return;
    const context = { ...controllerContext(this.name, 'patch'), fieldManager: this.name };
    yield* applyFields(registry, roles, { live, fields: rules.length > 0 ? { rules } : {}, context });
  }
}
