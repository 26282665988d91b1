import { microTime, SystemClock } from '@kubewright/api/clock';
import type { ApiObject } from '../../../registry/objects/api-object.js';
import { objectAt } from '../../../registry/objects/json-object.js';
import type { Controller, ControllerSetting, KeyQueue } from '../../work/controller.js';
import type { FeedEvent } from '../../work/resource-feed.js';
import { kubeletContext } from './kubelet-context.js';

const namespace = 'kube-node-lease';
const leaseSeconds = 40;
const renewalMs = 10_000;

/**
 * Creates the Leases of the simulated nodes, and renews them every 10 s. Does not renew the Leases if the clock is
 * not the system clock, for example in a test, because renewals would be additional work at each step of the clock.
 */
export class NodeLeases implements Controller {
  readonly name = 'node-leases';
  readonly #setting: ControllerSetting;
  readonly #renews: boolean;

  constructor(setting: ControllerSetting) {
    this.#setting = setting;
    this.#renews = setting.registry.clock instanceof SystemClock;
  }

  observe({ type, bucket, object: node }: FeedEvent, queue: KeyQueue): void {
    if (bucket === '/nodes' && type === 'ADDED' && this.#setting.simulated.nodes.has(node.metadata.name)) {
      queue.add(node.metadata.name);
    }
  }

  sync(name: string, queue: KeyQueue): void {
    const { registry } = this.#setting;
    const node = registry.builtIn('/v1/nodes').find({ name });
    if (node === undefined) return;
    const leases = registry.builtIn('coordination.k8s.io/v1/leases');
    const spec = {
      holderIdentity: name,
      leaseDurationSeconds: leaseSeconds,
      renewTime: microTime(registry.clock.now()),
    };
    if (leases.find({ name, namespace }) === undefined) {
      const owner = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid };
      const metadata = { name, namespace, ownerReferences: [owner] };
      leases.add(
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec },
        kubeletContext(name, 'create'),
      );
    } else {
      const renewed = (live: ApiObject): unknown => ({ ...live, spec: { ...objectAt(live, 'spec'), ...spec } });
      leases.update({ name, namespace }, renewed, kubeletContext(name, 'update'));
    }
    if (this.#renews) queue.addAfter(name, renewalMs);
  }
}
