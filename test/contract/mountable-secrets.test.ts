import { contract, type ContractCase } from './contract.js';
import { container, podSpec } from './pod-bodies.js';

const enforced = 'kubernetes.io/enforce-mountable-secrets';
const quiet = { quiet: true };
const shown = { only: ['message', 'reason', 'details', 'spec.imagePullSecrets', 'secrets', 'imagePullSecrets'] };
const variable = (name: string): object => ({ name: 'V', valueFrom: { secretKeyRef: { name, key: 'k' } } });
const variables = (name: string): object => ({ secretRef: { name } });
const volume = (name: string): object => ({ name: `v-${name}`, secret: { secretName: name } });

/** Pods of an account that references the Secret `s` and the image pull secret `p`: the annotation of the account, and the spec. */
const pods: Readonly<Record<string, readonly [value: string | undefined, spec: object]>> = {
  'accepts a referenced Secret': [
    'true',
    {
      volumes: [volume('s')],
      containers: [container({ env: [variable('s')], envFrom: [variables('s')] })],
      imagePullSecrets: [{ name: 'p' }],
    },
  ],
  'rejects a volume with an unreferenced Secret': ['true', { volumes: [volume('s'), volume('t'), volume('u')] }],
  'rejects a volume with an optional, unreferenced Secret': [
    'true',
    { volumes: [{ name: 'v', secret: { secretName: 't', optional: true } }] },
  ],
  'rejects a volume with an image pull secret': ['true', { volumes: [volume('p')] }],
  'rejects a variable from an unreferenced Secret': ['true', { containers: [container({ env: [variable('t')] })] }],
  'rejects an envFrom with an unreferenced Secret': [
    'true',
    { containers: [container({ envFrom: [variables('t')] })] },
  ],
  'reports an invalid variable rather than an invalid envFrom': [
    'true',
    { containers: [container({ env: [variable('t')], envFrom: [variables('u')] })] },
  ],
  'rejects a variable of an init container from an unreferenced Secret': [
    'true',
    {
      initContainers: [container({ name: 'i', env: [variable('t')] })],
      containers: [container({ env: [variable('u')] })],
    },
  ],
  'rejects an envFrom of an init container with an unreferenced Secret': [
    'true',
    { initContainers: [container({ name: 'i', envFrom: [variables('t')] })] },
  ],
  'reports an invalid volume rather than an invalid variable': [
    'true',
    { volumes: [volume('t')], initContainers: [container({ name: 'i', env: [variable('u')] })] },
  ],
  'rejects an unreferenced image pull secret': ['true', { imagePullSecrets: [{ name: 'p' }, { name: 's' }] }],
  'adds the image pull secrets of the account': ['true', {}],
  'accepts unreferenced Secrets in projected and CSI volumes': [
    'true',
    {
      volumes: [
        { name: 'a', projected: { sources: [{ secret: { name: 't' } }] } },
        { name: 'b', csi: { driver: 'd.example.com', nodePublishSecretRef: { name: 't' } } },
      ],
    },
  ],
  'enforces the annotation with the value 1': ['1', { volumes: [volume('t')] }],
  'enforces the annotation with the value T': ['T', { volumes: [volume('t')] }],
  'enforces the annotation with the value TRUE': ['TRUE', { volumes: [volume('t')] }],
  'ignores the annotation with the value tRUE': ['tRUE', { volumes: [volume('t')] }],
  'ignores the annotation with the value yes': ['yes', { volumes: [volume('t')] }],
  'ignores the annotation with the value false': ['false', { volumes: [volume('t')] }],
  'ignores the annotation with an empty value': ['', { volumes: [volume('t')] }],
  'accepts an unreferenced Secret if the account has no annotation': [undefined, { volumes: [volume('t')] }],
};

const account = (value: string | undefined): object => ({
  metadata: { name: 'a', ...(value !== undefined && { annotations: { [enforced]: value } }) },
  secrets: [{ name: 's' }],
  imagePullSecrets: [{ name: 'p' }],
});

const podCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(pods).map(([title, [value, spec]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      await api.post(`${namespace}/serviceaccounts`, account(value), quiet);
      const body = { metadata: { name: 'a' }, spec: podSpec({ serviceAccountName: 'a', ...spec }) };
      await api.post(`${namespace}/pods?dryRun=All`, body, shown);
    },
  ]),
);

/** Ephemeral containers of a Pod. */
const ephemeral: Readonly<Record<string, object>> = {
  'accepts a referenced Secret in an ephemeral container': { env: [variable('s')], envFrom: [variables('s')] },
  'rejects a variable of an ephemeral container from an unreferenced Secret': {
    env: [variable('t')],
    envFrom: [variables('u')],
  },
  'rejects an envFrom of an ephemeral container with an unreferenced Secret': { envFrom: [variables('t')] },
};

const ephemeralCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(ephemeral).map(([title, own]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      await api.post(`${namespace}/serviceaccounts`, account('true'), quiet);
      const body = { metadata: { name: 'a' }, spec: podSpec({ serviceAccountName: 'a' }) };
      await api.post(`${namespace}/pods`, body, quiet);
      const change = { spec: { ephemeralContainers: [container({ name: 'e', ...own })] } };
      await api.patch(`${namespace}/pods/a/ephemeralcontainers`, change, shown);
    },
  ]),
);

contract(
  'mountable-secrets',
  {},
  {
    ...podCases,
    ...ephemeralCases,
    'rejects an ephemeral container of a Pod whose account is absent': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      await api.post(`${namespace}/serviceaccounts`, account('false'), quiet);
      const body = { metadata: { name: 'a' }, spec: podSpec({ serviceAccountName: 'a' }) };
      await api.post(`${namespace}/pods`, body, quiet);
      await api.delete(`${namespace}/serviceaccounts/a`, undefined, quiet);
      const change = { spec: { ephemeralContainers: [container({ name: 'e' })] } };
      await api.eventually(
        'the absent account',
        () => api.patch(`${namespace}/pods/a/ephemeralcontainers?dryRun=All`, change, quiet),
        ({ status }) => status !== 200,
      );
      await api.patch(`${namespace}/pods/a/ephemeralcontainers`, change, shown);
    },
    'rejects an ephemeral container of a mirror Pod': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/pods`;
      const annotations = { 'kubernetes.io/config.mirror': 'x' };
      await api.post(path, { metadata: { name: 'a', annotations }, spec: podSpec({ nodeName: 'n' }) }, quiet);
      const change = { spec: { ephemeralContainers: [container({ name: 'e' })] } };
      await api.patch(`${path}/a/ephemeralcontainers`, change, shown);
    },
    'warns about the annotation of an account once': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/serviceaccounts`;
      await api.post(path, account('false'), shown);
      await api.patch(`${path}/a`, { metadata: { annotations: { [enforced]: 'true' } } }, shown);
      await api.patch(`${path}/a`, { metadata: { annotations: { [enforced]: null } } }, shown);
      await api.patch(`${path}/a`, { metadata: { annotations: { [enforced]: '' } } }, shown);
    },
    'keeps only the names of the Secrets of an account': async (api) => {
      const path = `/api/v1/namespaces/${api.namespace}/serviceaccounts`;
      const secrets = [{ name: 's', namespace: 'n', kind: 'Secret', uid: 'u' }, { kind: 'Secret' }];
      await api.post(path, { metadata: { name: 'a' }, secrets }, shown);
      await api.patch(`${path}/a`, { secrets: [{ name: 't', fieldPath: 'p' }] }, shown);
      await api.patch(`${path}/a`, { secrets: [] }, shown);
    },
  },
);
