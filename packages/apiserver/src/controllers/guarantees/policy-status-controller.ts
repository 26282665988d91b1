import { createRequire } from 'node:module';
import type { Steps } from '@kubewright/api/apply';
import { numberAt } from '../../registry/objects/json-object.js';
import { applyFields } from '../work/apply-fields.js';
import type { Controller, ControllerSetting, KeyQueue } from '../work/controller.js';
import { controllerContext } from '../work/controller-context.js';
import type { FeedEvent } from '../work/resource-feed.js';

// Most servers have no policies, so the type check is loaded when the first policy needs it.
const load = createRequire(import.meta.url);
const bucket = 'admissionregistration.k8s.io/validatingadmissionpolicies';
const manager = 'validatingadmissionpolicy-status';

/**
 * Writes the result of the type check to the status of each ValidatingAdmissionPolicy. As in Kubernetes, checks each generation of a policy
 * once, so a later change of a CustomResourceDefinition does not change the result.
 */
export class PolicyStatusController implements Controller {
  readonly name = 'validatingadmissionpolicy-status-controller';
  readonly #setting: ControllerSetting;
  #checks = 0;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
  }

  observe({ bucket: changed, type, object }: FeedEvent, queue: KeyQueue): void {
    if (changed === bucket && type !== 'DELETED') queue.add(object.metadata.name);
  }

  *sync(name: string): Steps<void> {
    const { registry } = this.#setting;
    const policies = registry.builtIn('admissionregistration.k8s.io/v1/validatingadmissionpolicies');
    const live = policies.find({ name });
    if (live === undefined) return;
    const { generation = 0 } = live.metadata;
    if (generation <= (numberAt(live, 'status', 'observedGeneration') ?? 0)) return;
    const { expressionWarnings } = load('./policy-type-check.js') as typeof import('./policy-type-check.js');
    this.#checks += 1;
    const warnings = yield* expressionWarnings(live, registry, this.#checks);
    const current = policies.find({ name });
    // The policy was deleted during the check. If it was recreated, the event of its creation queues the new policy.
    if (current === undefined || current.metadata.uid !== live.metadata.uid) return;
    const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings };
    const context = { ...controllerContext(this.name, 'patch', 'status'), fieldManager: manager };
    const fields = { status: { observedGeneration: generation, typeChecking } };
    yield* applyFields(registry, policies, { live: current, fields, context });
  }
}
