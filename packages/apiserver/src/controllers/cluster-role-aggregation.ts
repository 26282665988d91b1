import { applyServerSide } from '@kubewright/api/apply';
import { deepEqual } from '@kubewright/api/patch';
import { labelSelectorFromObject } from '@kubewright/api/selectors';
import { isObject, type JsonObject, objectsAt } from '../registry/json-object.js';
import { timestamp } from '../registry/metadata-rules.js';
import type { Controller, ControllerSetting, KeyQueue } from './controller.js';
import { controllerContext } from './controller-context.js';
import type { FeedEvent } from './resource-feed.js';

const bucket = 'rbac.authorization.k8s.io/clusterroles';

/** Gives ClusterRoles with an aggregationRule the rules of all ClusterRoles that it selects. */
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

  sync(name: string): void {
    const { registry } = this.#setting;
    const roles = registry.builtIn('rbac.authorization.k8s.io/v1/clusterroles');
    const live = roles.find({ name });
    if (live === undefined || !isObject(live['aggregationRule'])) return;
    const rules = this.#rules(name, objectsAt(live, 'aggregationRule', 'clusterRoleSelectors'));
    if (deepEqual(rules, objectsAt(live, 'rules'))) return;
    const { apiVersion, kind, schema } = roles.definition;
    const context = controllerContext(this.name, 'patch');
    const next = applyServerSide({
      live,
      applied: { apiVersion, kind, metadata: { name }, ...(rules.length > 0 && { rules }) },
      schema,
      manager: this.name,
      force: true,
      resetFields: [],
      now: timestamp(registry.clock.now()),
    }).object;
    roles.update({ name }, () => next, { ...context, fieldManager: this.name, operation: 'Apply' });
  }

  /** The rules of the selected roles, each once, by the names of the roles. */
  #rules(own: string, selectors: readonly JsonObject[]): readonly JsonObject[] {
    const rules: JsonObject[] = [];
    for (const selector of selectors) {
      const selected = labelSelectorFromObject(selector);
      for (const role of this.#setting.registry.store.list(bucket)) {
        if (role.metadata.name === own || !selected.matches(role.metadata.labels ?? {})) continue;
        for (const rule of objectsAt(role, 'rules')) {
          if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
        }
      }
    }
    return rules;
  }
}
