import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { Registry } from '../../../registry/registry.js';

/** The name of the only node of an embedded cluster. */
export const nodeName = 'embedded';
/** The cluster address of the node. No process listens on this address. */
export const nodeAddress = '10.0.2.15';

/** Creates the only Node of an embedded cluster, unless the Node exists. The Node is always ready. */
export function registerNode({ store, clock }: Registry): void {
  if (store.get('/nodes', { name: nodeName }) !== undefined) return;
  const now = timestamp(clock.now());
  const resources = { cpu: '1k', memory: '1Ti', pods: '1M' };
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'the embedded node is always ready',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  };
  const node = {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: {
      name: nodeName,
      uid: clock.random.uuid(),
      creationTimestamp: now,
      labels: { 'kubernetes.io/hostname': nodeName, 'kubernetes.io/os': 'linux' },
    },
    spec: {},
    status: {
      addresses: [
        { type: 'InternalIP', address: nodeAddress },
        { type: 'Hostname', address: nodeName },
      ],
      allocatable: resources,
      capacity: resources,
      conditions: [ready],
    },
  };
  store.create('/nodes', node);
}
