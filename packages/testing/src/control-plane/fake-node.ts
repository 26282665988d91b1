import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ControlPlaneBinaries } from './control-plane-binaries.js';

const room = { cpu: '32', memory: '256Gi', pods: '1000', 'ephemeral-storage': '1Ti' };

/** A node with enough resources for any test. kwok simulates the kubelet of the node. */
export const fakeNode = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'node-0',
    annotations: { 'kwok.x-k8s.io/node': 'fake', 'node.alpha.kubernetes.io/ttl': '0' },
    labels: {
      'kubernetes.io/hostname': 'node-0',
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      type: 'kwok',
    },
  },
  status: { allocatable: room, capacity: room },
} as const;

interface Node {
  readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Whether Pods can be scheduled to the node: the node is ready, and the controllers have removed the taint of a new node. */
export function isNodeReady(node: unknown): boolean {
  const { spec, status } = node as Node;
  const tainted = spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready') ?? false;
  return !tainted && (status?.conditions ?? []).some((is) => is.type === 'Ready' && is.status === 'True');
}

/** Returns the kwok stages that make nodes and Pods ready immediately, and that complete a Pod as the command of the Pod specifies. */
export async function kwokStages(binaries: ControlPlaneBinaries): Promise<string> {
  const { stdout } = await promisify(execFile)(binaries.path('kwok-stages'), []);
  return stdout;
}
