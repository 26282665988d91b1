import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { container, podSpec } from './pod-bodies.js';

const quiet = { quiet: true };
const shown = { only: ['message', 'reason', 'details', 'metadata.name'] };
const none = { pods: '0' };
const of = (...scopes: readonly string[]): object => ({ hard: none, scopes });
const selects = (scopeName: string, operator: string, ...values: readonly string[]): object => ({
  hard: none,
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values.length > 0 && { values }) }] },
});
const sized = (requests: object, limits: object = {}, name = 'c'): object =>
  container({ name, resources: { requests, limits } });
const small = { containers: [sized({ cpu: '1m' })] };
const deadline = { activeDeadlineSeconds: 5 };
const critical = { priorityClassName: 'system-cluster-critical' };
const term = (own: object): object => ({ topologyKey: 'k', labelSelector: {}, ...own });
const required = (kind: string, own: object): object => ({
  affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term(own)] } },
});
const preferred = (kind: string, own: object): object => ({
  affinity: {
    [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term(own) }] },
  },
});

/** The spec of a ResourceQuota, and the fields of Pods that the server reviews. */
const pods: Readonly<Record<string, readonly [quota: object, ...specs: readonly object[]]>> = {
  'BestEffort: selects Pods without requests and limits': [
    of('BestEffort'),
    {},
    small,
    { containers: [sized({ 'ephemeral-storage': '1' })] },
    { containers: [container(), sized({}, { memory: '1' }, 'd')] },
    { resources: { requests: { cpu: '1m' } } },
    { initContainers: [sized({ cpu: '1m' }, {}, 'i')] },
  ],
  'BestEffort: selects Pods whose requests are zero': [of('BestEffort'), { containers: [sized({ cpu: '0' })] }],
  'NotBestEffort: selects Pods with requests or limits': [of('NotBestEffort'), {}, small],
  'NotBestEffort: rejects Pods without the amounts that the quota limits': [
    { hard: { 'requests.cpu': '1' }, scopes: ['NotBestEffort'] },
    {},
    { containers: [sized({ memory: '1' })] },
    { containers: [sized({ cpu: '2' })] },
  ],
  'Terminating: selects Pods with a deadline': [of('Terminating'), {}, deadline],
  'NotTerminating: selects Pods without a deadline': [of('NotTerminating'), {}, deadline],
  'several scopes: select Pods that match all scopes': [
    of('BestEffort', 'Terminating'),
    {},
    deadline,
    { ...deadline, ...small },
  ],
  'PriorityClass: selects Pods with a class': [of('PriorityClass'), {}, critical],
  'PriorityClass: Exists selects Pods with a class': [selects('PriorityClass', 'Exists'), {}, critical],
  'PriorityClass: DoesNotExist selects Pods without a class': [selects('PriorityClass', 'DoesNotExist'), {}, critical],
  'PriorityClass: In selects Pods with a listed class': [
    selects('PriorityClass', 'In', 'x', 'system-cluster-critical'),
    {},
    critical,
    { priorityClassName: 'system-node-critical' },
  ],
  'PriorityClass: NotIn selects Pods without a listed class': [
    selects('PriorityClass', 'NotIn', 'system-cluster-critical'),
    {},
    critical,
    { priorityClassName: 'system-node-critical' },
  ],
  'CrossNamespacePodAffinity: selects Pods with namespaces in an affinity': [
    of('CrossNamespacePodAffinity'),
    {},
    required('podAffinity', {}),
    required('podAffinity', { namespaces: ['a'] }),
    required('podAntiAffinity', { namespaces: ['a'] }),
    preferred('podAffinity', { namespaces: ['a'] }),
    preferred('podAntiAffinity', { namespaces: [] }),
  ],
  'CrossNamespacePodAffinity: selects Pods with a namespaceSelector in an affinity': [
    selects('CrossNamespacePodAffinity', 'Exists'),
    required('podAntiAffinity', { namespaceSelector: {} }),
    preferred('podAntiAffinity', { namespaceSelector: { matchLabels: { a: 'b' } } }),
    preferred('podAffinity', {}),
  ],
  'a message lists all exceeded amounts': [
    { hard: { cpu: '1', 'requests.cpu': '500m', 'limits.memory': '1Gi', memory: '5Gi', pods: '7' } },
    { containers: [sized({ cpu: '1500m', memory: '2Gi' }, { cpu: '2', memory: '2Gi' })] },
    { containers: [sized({ cpu: '600m', memory: '1Mi' }, { memory: '1Mi' })] },
  ],
  'a message lists all containers without an amount': [
    { hard: { cpu: '1', 'limits.memory': '1Gi', 'requests.memory': '1Gi', 'limits.ephemeral-storage': '1Gi' } },
    {
      containers: [container({ name: 'b' }), container({ name: 'a' }), sized({ cpu: '1m', memory: '1' }, {}, 'd')],
      initContainers: [container({ name: 'i' })],
    },
    { resources: { limits: { cpu: '2', memory: '2Gi' } } },
  ],
  'counts the largest init container': [
    { hard: { 'requests.cpu': '1' } },
    { containers: [sized({ cpu: '500m' })], initContainers: [sized({ cpu: '1500m' }, {}, 'i')] },
    { containers: [sized({ cpu: '500m' })], initContainers: [sized({ cpu: '1' }, {}, 'i')] },
  ],
  'adds the sidecars to the containers': [
    { hard: { 'requests.cpu': '1' } },
    {
      containers: [sized({ cpu: '500m' })],
      initContainers: [{ ...sized({ cpu: '600m' }, {}, 'i'), restartPolicy: 'Always' }],
    },
  ],
  'counts amounts other than CPU and memory': [
    { hard: { 'requests.a.b/c': '1', 'requests.ephemeral-storage': '1Gi', 'hugepages-2Mi': '2Mi' } },
    { containers: [sized({}, { 'a.b/c': '2' })] },
    { containers: [sized({ 'ephemeral-storage': '2Gi' })] },
    { containers: [sized({}, { 'hugepages-2Mi': '4Mi', memory: '1Gi' })] },
    { containers: [sized({}, { 'a.b/c': '1' })] },
  ],
  'limits the number of all Pods': [{ hard: { 'count/pods': '0' } }, {}],
};

/** Creates ResourceQuotas and waits until the server enforces them. */
async function enforced(api: ContractApi, ...specs: readonly object[]): Promise<void> {
  const namespace = `/api/v1/namespaces/${api.namespace}`;
  // A real server reads quotas from a cache. A cache with the last quota also contains the other quotas and their usage.
  for (const [index, spec] of [...specs, { hard: { 'count/configmaps': '0' } }].entries()) {
    const name = `q${index}`;
    await api.post(`${namespace}/resourcequotas`, { metadata: { name }, spec }, quiet);
    await api.until(`${namespace}/resourcequotas/${name}`, ({ body }) => body.status.used !== undefined);
  }
  await api.eventually(
    'the quotas',
    () => api.post(`${namespace}/configmaps?dryRun=All`, { metadata: { name: 'a' } }, quiet),
    ({ body }) => String(body.message).includes('exceeded quota'),
  );
}

const podCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(pods).map(([title, [quota, ...specs]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      await enforced(api, quota);
      const path = `/api/v1/namespaces/${api.namespace}/pods?dryRun=All`;
      for (const spec of specs) await api.post(path, { metadata: { name: 'a' }, spec: podSpec(spec) }, shown);
    },
  ]),
);

/** An object, the limits of a ResourceQuota that is created after the object, and patches: the end of the path and the patch. */
const updates: Readonly<
  Record<
    string,
    readonly [path: string, object: object, hard: object, ...patches: readonly (readonly [string, object])[]]
  >
> = {
  'a Pod with a new deadline enters the scope Terminating': [
    'pods',
    { spec: podSpec() },
    of('Terminating'),
    ['', { metadata: { labels: { a: 'b' } } }],
    ['', { spec: deadline }],
  ],
  'counts the new requests of a resized Pod': [
    'pods',
    { spec: podSpec(small) },
    { hard: { 'requests.cpu': '1' } },
    ['/resize', { spec: { containers: [sized({ cpu: '2' })] } }],
    ['/resize', { spec: { containers: [sized({ cpu: '2m' })] } }],
  ],
  'counts a Service whose type changes to LoadBalancer': [
    'services',
    { spec: { ports: [{ port: 80 }] } },
    { hard: { 'services.loadbalancers': '0', 'services.nodeports': '1' } },
    ['', { spec: { type: 'LoadBalancer' } }],
    ['', { spec: { type: 'NodePort' } }],
    [
      '',
      {
        spec: {
          ports: [
            { port: 80, name: 'a' },
            { port: 81, name: 'b' },
          ],
        },
      },
    ],
  ],
  'does not count an update of a Secret': [
    'secrets',
    { data: { a: 'YQ==' } },
    { hard: { secrets: '0', 'count/secrets': '0' } },
    ['', { data: { a: 'Yg==' } }],
  ],
};

const updateCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(updates).map(([title, [plural, object, quota, ...patches]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/${plural}`;
      await api.post(path, { metadata: { name: 'a' }, ...object }, quiet);
      await enforced(api, quota);
      for (const [suffix, patch] of patches) {
        const type = 'application/strategic-merge-patch+json';
        await api.patch(`${path}/a${suffix}`, patch, { ...shown, ...(plural === 'pods' && { type }) });
      }
    },
  ]),
);

contract('quota-scopes', {}, { ...podCases, ...updateCases });
