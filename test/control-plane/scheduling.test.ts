import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node, Pod } from '@kubewright/api/core/v1';
import { PriorityClass } from '@kubewright/api/scheduling/v1';
import type { NodeDeclaration, NodeTaint, TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

const namespace = 'default';
const hostname = 'kubernetes.io/hostname';
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const node = (name: string, zone: string, taints: readonly NodeTaint[] = []): Required<NodeDeclaration> => ({
  name,
  labels: { zone, own: 'yes' },
  taints,
  capacity: { cpu: '4', memory: '8Gi', pods: '10', 'ephemeral-storage': '10Gi' },
});
/** The nodes in addition to the node of every control plane with workloads. */
const nodes = [
  node('a', '1'),
  node('b', '1'),
  node('c', '2'),
  node('d', '2', [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }]),
];

type PodSpec = Pod['spec'];
const containers = (more: object = {}): PodSpec => ({ containers: [{ name: 'c', image: 'i', ...more }] });
const using = (requests: Readonly<Record<string, string>>): PodSpec => containers({ resources: { requests } });
const onPort = containers({ ports: [{ containerPort: 80, hostPort: 80 }] });
const selecting = (app: string, topologyKey: string): object => ({
  [required]: [{ topologyKey, labelSelector: { matchLabels: { app } } }],
});
const spread = (topologyKey: string): Partial<PodSpec> => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'spread' } } },
  ],
});
const onOwn = { nodeSelector: { own: 'yes' } };

/** The Pods in the order of their creation: name, spec, and the value of the label `app`. */
const pods: readonly (readonly [string, PodSpec, string?])[] = [
  ['selects-c', { ...containers(), nodeSelector: { ...onOwn.nodeSelector, zone: '2' } }],
  [
    'tolerates-d',
    {
      ...using({ cpu: '4' }),
      nodeSelector: { [hostname]: 'd' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    },
  ],
  [
    'full-d',
    {
      ...using({ cpu: '1' }),
      nodeSelector: { [hostname]: 'd' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    },
  ],
  ['tainted-d', { ...containers(), nodeSelector: { [hostname]: 'd' } }],
  ['too-large', { ...using({ cpu: '5', memory: '9Gi', 'ephemeral-storage': '11Gi' }), ...onOwn }],
  ['no-device', { ...containers({ resources: { limits: { 'example.com/gpu': '1' } } }), ...onOwn }],
  ['port-1', { ...onPort, ...onOwn }],
  ['port-2', { ...onPort, ...onOwn }],
  ['port-3', { ...onPort, ...onOwn }],
  ['port-4', { ...onPort, ...onOwn }],
  ['lonely', { ...containers(), ...onOwn, affinity: { podAffinity: selecting('nobody', 'zone') } }],
  ['zone-db', { ...containers(), nodeSelector: { [hostname]: 'c' } }, 'db'],
  ['near-db', { ...containers(), ...onOwn, affinity: { podAffinity: selecting('db', 'zone') } }],
  [
    'apart-1',
    { ...containers(), nodeSelector: { [hostname]: 'a' }, affinity: { podAntiAffinity: selecting('apart', 'zone') } },
    'apart',
  ],
  [
    'apart-2',
    { ...containers(), nodeSelector: { [hostname]: 'b' }, affinity: { podAntiAffinity: selecting('apart', 'zone') } },
    'apart',
  ],
  ['repelled', { ...containers(), nodeSelector: { [hostname]: 'b' } }, 'apart'],
  ['spread-1', { ...containers(), nodeSelector: { own: 'yes', zone: '1' }, ...spread('zone') }, 'spread'],
  ['no-rack', { ...containers(), ...onOwn, ...spread('rack') }, 'spread'],
  [
    'no-claim',
    { ...containers(), ...onOwn, volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'missing' } }] },
  ],
  [
    'daemon',
    {
      ...using({ cpu: '5' }),
      affinity: {
        nodeAffinity: {
          [required]: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
          },
        },
      },
    },
  ],
  ['fills-a', { ...using({ cpu: '3' }), nodeSelector: { [hostname]: 'a' } }],
  ['polite', { ...using({ cpu: '2' }), nodeSelector: { [hostname]: 'a' }, priorityClassName: 'polite' }],
  ['urgent', { ...using({ cpu: '2' }), nodeSelector: { [hostname]: 'a' }, priorityClassName: 'high' }],
  ['helpless', { ...using({ cpu: '3' }), nodeSelector: { [hostname]: 'a' }, priorityClassName: 'high' }],
];

/** Creates the nodes on a real server, where kwok simulates their kubelets. */
async function createNodes(env: TestEnvironment): Promise<void> {
  for (const { name, labels, taints, capacity } of nodes) {
    const annotations = { 'kwok.x-k8s.io/node': 'fake' };
    const metadata = { name, annotations, labels: { [hostname]: name, ...labels } };
    const status = { allocatable: capacity, capacity };
    const node = await env.client.create(new Node({ metadata, spec: { taints }, status }));
    // The node controller removes its own taint from a ready node.
    await env.until(node, ({ spec }) => (spec?.taints ?? []).length === taints.length);
  }
}

/** Creates the Pods one after the other, and returns the node of each Pod, or the message why the Pod is not scheduled. */
async function outcomes(env: TestEnvironment): Promise<Readonly<Record<string, string>>> {
  await env.client.create(new PriorityClass({ metadata: { name: 'high' }, value: 1000 }));
  await env.client.create(new PriorityClass({ metadata: { name: 'polite' }, value: 1000, preemptionPolicy: 'Never' }));
  const found: Record<string, string> = {};
  for (const [name, spec, app] of pods) {
    const metadata = { name, namespace, ...(app !== undefined && { labels: { app } }) };
    const pod = await env.client.create(new Pod({ metadata, spec }));
    const decided = await env.until(pod, ({ spec: live, status }) => {
      const isNominated = status?.nominatedNodeName !== undefined && live.nodeName === undefined;
      return !isNominated && (live.nodeName !== undefined || messageOf(status) !== undefined);
    });
    found[name] = decided.spec.nodeName ?? messageOf(decided.status) ?? '';
  }
  // Scores decide between several nodes for these Pods, so the chosen nodes are not compared.
  for (const name of ['port-1', 'port-2', 'port-3', 'near-db', 'spread-1']) {
    assert.match(found[name] ?? '', /^[abc]$/, name);
    delete found[name];
  }
  return found;
}

function messageOf(status: Pod['status']): string | undefined {
  return status?.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False')?.message;
}

test('the scheduler of the embedded server makes the same decisions and reports as kube-scheduler', async () => {
  await using embedded = await startEnvironment({
    server: 'embedded',
    workloads: true,
    nodes: [{ name: 'node-0' }, ...nodes],
  });
  await using real = await startEnvironment({ server: 'control-plane', workloads: true, ownControlPlane: true });
  await createNodes(real);
  assert.deepEqual(await outcomes(embedded), await outcomes(real));
});
