import type { Steps } from '@kubewright/api/apply';
import { timestamp } from '../../registry/metadata/metadata-rules.js';
import { systemContext } from '../../registry/requests/request-context.js';
import { isSameCondition, type NewCondition } from '../objects/condition-list.js';
import { conditionOf } from '../objects/pod-state.js';
import { stringAt } from '../../registry/objects/json-object.js';
import { applyFields } from '../work/apply-fields.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import type { FeedEvent } from '../work/resource-feed.js';

const schemas = 'flowcontrol.apiserver.k8s.io/flowschemas';
const levels = 'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations';
const manager = 'api-priority-and-fairness-config-consumer-v1';

/** Reports in the status of each FlowSchema whether its PriorityLevelConfiguration exists. */
export class FlowSchemaStatus implements Controller {
  readonly name = 'flow-schema-status';
  readonly #setting: ControllerSetting;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ type, bucket, object }: FeedEvent, queue: KeyQueue): void {
    if (bucket === schemas && type !== 'DELETED') queue.add(object.metadata.name);
    if (bucket !== levels || type === 'MODIFIED') return;
    for (const { metadata } of this.#setting.registry.store.list(schemas)) queue.add(metadata.name);
  }

  *sync(name: string): Steps<void> {
    const { registry } = this.#setting;
    const resource = registry.builtIn('flowcontrol.apiserver.k8s.io/v1/flowschemas');
    const live = resource.find({ name });
    if (live === undefined) return;
    const level = stringAt(live, 'spec', 'priorityLevelConfiguration', 'name');
    const exists = registry.store.get(levels, { name: level }) !== undefined;
    const about = `This FlowSchema references the PriorityLevelConfiguration object named "${level}"`;
    const condition: NewCondition = {
      type: 'Dangling',
      status: exists ? 'False' : 'True',
      reason: exists ? 'Found' : 'NotFound',
      message: `${about} ${exists ? 'and it exists' : 'but there is no such object'}`,
    };
    if (isSameCondition(conditionOf(live, 'Dangling'), condition)) return;
    const lastTransitionTime = timestamp(registry.clock.now());
    const fields = { status: { conditions: [{ ...condition, lastTransitionTime }] } };
    const context = { ...systemContext('kube-apiserver', 'patch', 'status'), fieldManager: manager };
    yield* applyFields(registry, resource, { live, fields, context });
  }
}
