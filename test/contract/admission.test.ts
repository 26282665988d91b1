import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { container, podSpec } from './pod-bodies.js';

const shown = {
  only: [
    'message',
    'reason',
    'code',
    'details',
    'spec.tolerations',
    'spec.priority',
    'spec.priorityClassName',
    'spec.preemptionPolicy',
    'spec.volumes',
    'spec.containers',
    'spec.initContainers',
    'spec.nodeSelector',
    'spec.overhead',
    'spec.ingressClassName',
    'spec.storageClassName',
    'spec.serviceAccountName',
    'spec.imagePullSecrets',
    'spec.resources',
    'metadata.annotations',
    'metadata.finalizers',
  ],
};
const quiet = { quiet: true };
const sized = (requests: object, limits: object = {}, name = 'c'): object =>
  container({ name, resources: { requests, limits } });
const toleration = (key: string, more: object = {}): object => ({ key, operator: 'Exists', ...more });
const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const claimOf = (storage: string): object => ({
  accessModes: ['ReadWriteOnce'],
  resources: { requests: { storage } },
  storageClassName: 'none',
});
const mirror = { 'kubernetes.io/config.mirror': 'x' };
const tokens = { name: 'kube-api-access-own', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } };
const mounted = { name: 'm', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };

/** Pods to create in a namespace without limits: the spec and the annotations. */
const pods: Readonly<Record<string, readonly [spec: object, annotations?: object]>> = {
  'DefaultTolerationSeconds: keeps a toleration of nodes that are not ready': [
    podSpec({ tolerations: [toleration(notReady, { effect: 'NoExecute', tolerationSeconds: 5 })] }),
  ],
  'DefaultTolerationSeconds: keeps a toleration of unreachable nodes with any effect': [
    podSpec({ tolerations: [toleration(unreachable)] }),
  ],
  'DefaultTolerationSeconds: ignores a toleration with another effect': [
    podSpec({
      tolerations: [toleration(notReady, { effect: 'NoSchedule' }), toleration(unreachable, { effect: 'NoSchedule' })],
    }),
  ],
  'DefaultTolerationSeconds: keeps a toleration of all taints': [podSpec({ tolerations: [{ operator: 'Exists' }] })],
  'DefaultTolerationSeconds: ignores a toleration with a value': [
    podSpec({ tolerations: [{ key: notReady, operator: 'Equal', value: 'x', effect: 'NoExecute' }] }),
  ],
  'Priority: sets the priority of a system class': [podSpec({ priorityClassName: 'system-node-critical' })],
  'Priority: rejects an absent class': [podSpec({ priorityClassName: 'absent' })],
  'Priority: rejects a priority that differs from the class': [
    podSpec({ priorityClassName: 'system-cluster-critical', priority: 7 }),
  ],
  'Priority: accepts the priority of the class': [
    podSpec({ priorityClassName: 'system-cluster-critical', priority: 2_000_000_000 }),
  ],
  'Priority: rejects a priority without a class': [podSpec({ priority: 7 })],
  'Priority: rejects a preemption policy that differs from the class': [
    podSpec({ priorityClassName: 'system-cluster-critical', preemptionPolicy: 'Never' }),
  ],
  'Priority: accepts a preemption policy without a class': [podSpec({ preemptionPolicy: 'PreemptLowerPriority' })],
  'Priority: rejects the preemption policy Never without a class': [podSpec({ preemptionPolicy: 'Never' })],
  'RuntimeClass: rejects an absent class': [podSpec({ runtimeClassName: 'absent' })],
  'RuntimeClass: rejects an overhead without a class': [podSpec({ overhead: { cpu: '1' } })],
  'RuntimeClass: rejects an invalid class name': [podSpec({ runtimeClassName: 'A b' })],
  'ServiceAccount: rejects an absent account': [podSpec({ serviceAccountName: 'absent' })],
  'ServiceAccount: prefers serviceAccountName to serviceAccount': [
    podSpec({ serviceAccountName: 'default', serviceAccount: 'absent' }),
  ],
  'ServiceAccount: accepts another volume at the mount path of the token': [
    podSpec({
      automountServiceAccountToken: true,
      volumes: [{ name: 'm', emptyDir: {} }],
      containers: [container({ volumeMounts: [mounted] })],
    }),
  ],
  'ServiceAccount: rejects a mirror Pod with an account': [
    podSpec({ nodeName: 'n', serviceAccountName: 'default' }),
    mirror,
  ],
  'ServiceAccount: rejects a mirror Pod with a Secret': [
    podSpec({ nodeName: 'n', volumes: [{ name: 'v', secret: { secretName: 's' } }] }),
    mirror,
  ],
  'ServiceAccount: rejects a mirror Pod with a Secret in its variables': [
    podSpec({ nodeName: 'n', containers: [container({ envFrom: [{ secretRef: { name: 's' } }] })] }),
    mirror,
  ],
  'ServiceAccount: rejects a mirror Pod with a ConfigMap': [
    podSpec({ nodeName: 'n', volumes: [{ name: 'v', configMap: { name: 's' } }] }),
    mirror,
  ],
  'ServiceAccount: rejects a mirror Pod with a claim': [
    podSpec({ nodeName: 'n', volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 's' } }] }),
    mirror,
  ],
  'ServiceAccount: rejects a mirror Pod with a resource claim': [
    podSpec({ nodeName: 'n', resourceClaims: [{ name: 'r', resourceClaimName: 's' }] }),
    mirror,
  ],
  'ServiceAccount: rejects a mirror Pod with a token': [podSpec({ nodeName: 'n', volumes: [tokens] }), mirror],
  'ServiceAccount: accepts a mirror Pod without references': [podSpec({ nodeName: 'n' }), mirror],
};

const podCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(pods).map(([title, [spec, annotations]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      await api.post(
        `/api/v1/namespaces/${api.namespace}/pods?dryRun=All`,
        { metadata: { name: 'a', annotations }, spec },
        shown,
      );
    },
  ]),
);

type Limit = Readonly<Record<string, unknown>>;
const limits = (...items: readonly Limit[]): readonly Limit[] => items;
const cpu = (amount: string): object => ({ cpu: amount });

/** LimitRanges with the objects that the server reviews: the limits of each LimitRange, the plural name, and the specs. */
const ranges: Readonly<
  Record<string, readonly [limits: readonly (readonly Limit[])[], plural: string, ...specs: readonly object[]]>
> = {
  'LimitRange: enforces the sizes of claims': [
    [limits({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } })],
    'persistentvolumeclaims',
    claimOf('500Mi'),
    claimOf('3Gi'),
    claimOf('2Gi'),
  ],
  'LimitRange: enforces a maximum size of claims without a minimum size': [
    [limits({ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } })],
    'persistentvolumeclaims',
    claimOf('3Gi'),
    claimOf('1'),
  ],
  'LimitRange: sets the defaults of init containers': [
    [limits({ type: 'Container', default: cpu('2'), defaultRequest: cpu('1') })],
    'pods',
    podSpec({ initContainers: [container({ name: 'i' }), sized(cpu('500m'), {}, 'j')] }),
  ],
  'LimitRange: uses the default limit as the default request': [
    [limits({ type: 'Container', default: { cpu: '2', memory: '1Gi' } })],
    'pods',
    podSpec({ containers: [container(), sized(cpu('1'), {}, 'd'), sized({}, cpu('1'), 'e')] }),
  ],
  'LimitRange: uses the maximum as the default limit': [
    [limits({ type: 'Container', max: cpu('2'), min: cpu('1') })],
    'pods',
    podSpec(),
  ],
  'LimitRange: enforces the sum of the containers of a Pod': [
    [limits({ type: 'Pod', max: cpu('2'), min: cpu('1') })],
    'pods',
    podSpec({ containers: [sized(cpu('1'), cpu('1')), sized(cpu('1'), cpu('2'), 'd')] }),
    podSpec({ containers: [sized(cpu('300m'), cpu('300m')), sized(cpu('300m'), cpu('300m'), 'd')] }),
    podSpec({ containers: [sized(cpu('1'), cpu('1')), container({ name: 'd' })] }),
  ],
  'LimitRange: considers the largest init container of a Pod': [
    [limits({ type: 'Pod', max: cpu('2') })],
    'pods',
    podSpec({ containers: [sized(cpu('1'), cpu('1'))], initContainers: [sized(cpu('3'), cpu('3'), 'i')] }),
  ],
  'LimitRange: adds sidecars to the containers of a Pod': [
    [limits({ type: 'Pod', max: cpu('2') })],
    'pods',
    podSpec({
      containers: [sized(cpu('1'), cpu('1'))],
      initContainers: [{ ...sized(cpu('1500m'), cpu('1500m'), 'i'), restartPolicy: 'Always' }],
    }),
  ],
  'LimitRange: enforces the maxLimitRequestRatio of a Pod': [
    [limits({ type: 'Pod', maxLimitRequestRatio: cpu('2') })],
    'pods',
    podSpec({ containers: [sized(cpu('1'), cpu('3'))] }),
    podSpec({ containers: [sized({}, {})] }),
    podSpec({ containers: [sized(cpu('1'), cpu('2'))] }),
  ],
  'LimitRange: enforces the maximum for Pod-level resources': [
    [limits({ type: 'Pod', max: cpu('2') })],
    'pods',
    podSpec({ resources: { requests: cpu('3'), limits: cpu('3') }, containers: [sized(cpu('1'), cpu('1'))] }),
  ],
  'LimitRange: enforces ephemeral storage': [
    [limits({ type: 'Container', max: { 'ephemeral-storage': '1Gi' } })],
    'pods',
    podSpec({ containers: [sized({ 'ephemeral-storage': '2Gi' }, { 'ephemeral-storage': '2Gi' })] }),
  ],
  'LimitRange: enforces extended resources': [
    [limits({ type: 'Container', max: { 'a.b/c': '1' } })],
    'pods',
    podSpec({ containers: [sized({ 'a.b/c': '2' }, { 'a.b/c': '2' })] }),
  ],
};

async function limited(api: ContractApi, all: readonly (readonly Limit[])[]): Promise<void> {
  const path = `/api/v1/namespaces/${api.namespace}/limitranges`;
  for (const [index, items] of all.entries()) {
    await api.post(path, { metadata: { name: `l${index}` }, spec: { limits: items } }, quiet);
  }
}

const rangeCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(ranges).map(([title, [all, plural, ...specs]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      await limited(api, all);
      const path = `/api/v1/namespaces/${api.namespace}/${plural}?dryRun=All`;
      // A real server reads LimitRanges from a cache, which it updates with a delay.
      const [first] = specs;
      await api.eventually(
        'the limits',
        () => api.post(path, { metadata: { name: 'a' }, spec: first }, quiet),
        ({ status, body }) =>
          status === 403 || body.metadata?.annotations?.['kubernetes.io/limit-ranger'] !== undefined,
      );
      for (const spec of specs) await api.post(path, { metadata: { name: 'a' }, spec }, shown);
    },
  ]),
);

contract('admission', {}, { ...podCases, ...rangeCases });
