import type { ApiObject, JsonDraft } from '../../../registry/objects/api-object.js';
import { objectAt, objectsAt, stringAt } from '../../../registry/objects/json-object.js';
import { timestamp } from '../../../registry/metadata/metadata-rules.js';
import type { Registry } from '../../../registry/registry.js';
import type { ResolvedNode } from '../../simulation/node-declaration.js';
import type { ControllerSetting } from '../../work/controller.js';
import { conditionOf } from '../../objects/pod-state.js';

const bucket = '/nodes';
/** The container runtime of simulated nodes. A stored node with this runtime becomes NotReady if the server does not declare the node. */
const runtime = 'kubewright://embedded';
const kubeletPort = 10_250;
const firstHost = 15;
const hostsPerBlock = 240;

/**
 * Creates the declared nodes that do not exist, and marks simulated nodes that are no longer declared as unreachable. Declared nodes are
 * always ready. No process listens on their addresses.
 */
export function registerNodes({ registry, simulated }: Pick<ControllerSetting, 'registry' | 'simulated'>): void {
  const { store } = registry;
  const taken = new Set(store.list(bucket).map(addressOf));
  for (const declared of simulated.nodes.values()) {
    const stored = store.get(bucket, { name: declared.name });
    if (stored === undefined) store.create(bucket, newNode(declared, { registry, address: takeAddress(taken) }));
    else if (conditionOf(stored, 'Ready')?.['status'] !== 'True') replace(registry, stored, { ready: true });
  }
  for (const node of store.list(bucket)) {
    const isOurs = stringAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') === runtime;
    if (isOurs && !simulated.nodes.has(node.metadata.name)) replace(registry, node, { ready: false });
  }
}

/** Returns the address of a node. */
export function addressOf(node: ApiObject | undefined): string {
  const addresses = objectsAt(node, 'status', 'addresses');
  return stringAt(addresses.find(({ type }) => type === 'InternalIP') ?? addresses[0], 'address');
}

function newNode(
  { name, labels, taints, capacity }: ResolvedNode,
  { registry, address }: { readonly registry: Registry; readonly address: string },
) {
  const { clock } = registry;
  const now = timestamp(clock.now());
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const system = { 'kubernetes.io/arch': arch, 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
  const id = clock.random.uuid();
  return {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: {
      name,
      uid: clock.random.uuid(),
      creationTimestamp: now,
      labels: { 'beta.kubernetes.io/arch': arch, 'beta.kubernetes.io/os': 'linux', ...system, ...labels },
    },
    spec: taints.length === 0 ? {} : { taints },
    status: {
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      allocatable: capacity,
      capacity,
      conditions: [...pressures(now), readyCondition(now)],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
      nodeInfo: {
        architecture: arch,
        bootID: id,
        containerRuntimeVersion: runtime,
        kernelVersion: 'none',
        kubeProxyVersion: '',
        kubeletVersion: registry.kubernetes.gitVersion,
        machineID: id.replaceAll('-', ''),
        operatingSystem: 'linux',
        osImage: 'Kubewright embedded node',
        systemUUID: id,
      },
    },
  };
}

/** Returns the first address that is not taken, and adds the address to the taken addresses. */
function takeAddress(taken: Set<string>): string {
  for (let host = firstHost; ; host += 1) {
    const address = `10.0.${2 + Math.trunc(host / hostsPerBlock)}.${host % hostsPerBlock}`;
    if (taken.has(address)) continue;
    taken.add(address);
    return address;
  }
}

function pressures(now: string): readonly JsonDraft[] {
  return (
    [
      ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
      ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
      ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
    ] as const
  ).map(([type, reason, message]) => ({
    type,
    status: 'False',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  }));
}

function readyCondition(now: string): JsonDraft {
  const message = 'kubelet is posting ready status';
  return {
    type: 'Ready',
    status: 'True',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason: 'KubeletReady',
    message,
  };
}

/** Sets the Ready condition of a stored node. */
function replace({ store, clock }: Registry, node: ApiObject, { ready }: { readonly ready: boolean }): void {
  const now = timestamp(clock.now());
  const message = 'Kubelet stopped posting node status.';
  const lost = { status: 'Unknown', lastTransitionTime: now, reason: 'NodeStatusUnknown', message };
  const conditions = objectsAt(node, 'status', 'conditions').filter(({ type }) => type !== 'Ready');
  const condition = ready ? readyCondition(now) : { type: 'Ready', lastHeartbeatTime: now, ...lost };
  store.update(bucket, {
    ...node,
    status: { ...objectAt(node, 'status'), conditions: [...conditions, condition] },
  });
}
