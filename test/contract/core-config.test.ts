import { contract, type ContractCase } from './contract.js';
import { container, pod } from './pod-bodies.js';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const cells = (...indexes: readonly number[]): readonly string[] => [
  'columnDefinitions.*.name',
  'columnDefinitions.*.type',
  'columnDefinitions.*.priority',
  ...indexes.map((cell) => `rows.*.cells.${cell}`),
];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Objects of a namespace to create and compare: `plural`, then the object without its name. */
const posted: Readonly<Record<string, readonly [string, object]>> = {
  'a ConfigMap has keys that are file names': ['configmaps', { data: { 'a b': '1' } }],
  'a ConfigMap has no key that leads to the folder above': ['configmaps', { data: { '..': '2' } }],
  'a ConfigMap has no key that starts like the folder above': ['configmaps', { data: { '..a': '3' } }],
  'a ConfigMap has each key once': ['configmaps', { data: { a: '1' }, binaryData: { a: 'YQ==' } }],
  'a ConfigMap has no more than a megabyte': ['configmaps', { data: { a: 'x'.repeat(1_048_577) } }],
  'a ConfigMap may be empty': ['configmaps', { data: {}, immutable: false }],
  'a ConfigMap reads null as empty text': ['configmaps', { data: { a: null } }],
  'a ConfigMap has texts for values': ['configmaps', { data: { a: 1 } }],
  'a ConfigMap has a map for data': ['configmaps', { data: ['a'] }],
  'a ConfigMap has bytes in base64': ['configmaps', { binaryData: { a: 'a b' } }],
  'a ConfigMap has labels that are texts': ['configmaps', { metadata: { labels: { a: true } } }],
  'a ConfigMap knows no spec': ['configmaps', { spec: {} }],
  'another kind is no ConfigMap': ['configmaps', { kind: 'Secret', apiVersion: 'v1' }],
  'an unknown kind is no ConfigMap': ['configmaps', { kind: 'Thing', apiVersion: 'v1' }],
  'another version is no ConfigMap': ['configmaps', { kind: 'ConfigMap', apiVersion: 'v2' }],
  'a finalizer is a standard one or has a domain': ['configmaps', { metadata: { finalizers: ['mine'] } }],
  'a Secret is opaque unless it says': ['secrets', { data: { a: 'YQ==' } }],
  'a Secret keeps texts as bytes': ['secrets', { data: { a: 'YQ==', b: 'Yg==' }, stringData: { a: 'x', c: 'y' } }],
  'a Secret has keys that are file names': ['secrets', { data: { 'a/b': '' } }],
  'a Secret has bytes in base64': ['secrets', { data: { a: 'YQ' } }],
  'a Secret of TLS has a key and a certificate': ['secrets', { type: 'kubernetes.io/tls' }],
  'a Secret of a registry has its settings': ['secrets', { type: 'kubernetes.io/dockerconfigjson' }],
  'a Secret of a registry has settings that are JSON': [
    'secrets',
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('[]') } },
  ],
  'a Secret of a user has a name or password': ['secrets', { type: 'kubernetes.io/basic-auth' }],
  'a Secret of SSH has a key': ['secrets', { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } }],
  'a Secret of an account names it': ['secrets', { type: 'kubernetes.io/service-account-token' }],
  'a Secret may be of a type of one’s own': ['secrets', { type: 'example.com/mine' }],
  'a ServiceAccount needs nothing': ['serviceaccounts', {}],
  'a ServiceAccount has Secrets by reference': ['serviceaccounts', { secrets: ['a'] }],
  'a ServiceAccount keeps what it mounts': [
    'serviceaccounts',
    { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }], automountServiceAccountToken: false },
  ],
  'a LimitRange gives containers what it allows': [
    'limitranges',
    {
      spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' }, default: { memory: '1Gi' } }] },
    },
  ],
  'a LimitRange gives Pods nothing': [
    'limitranges',
    { spec: { limits: [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }] } },
  ],
  'a LimitRange limits each type once, and known ones': [
    'limitranges',
    { spec: { limits: [{ type: 'Pod' }, { type: 'Pod' }, { type: 'Node' }, { type: '-' }] } },
  ],
  'a LimitRange has bounds in order': [
    'limitranges',
    {
      spec: {
        limits: [
          {
            type: 'Container',
            min: { cpu: '3' },
            max: { cpu: '1' },
            default: { cpu: '2' },
            defaultRequest: { cpu: '4' },
          },
        ],
      },
    },
  ],
  'a LimitRange has ratios of at least one': [
    'limitranges',
    { spec: { limits: [{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }] } },
  ],
  'a LimitRange has ratios that bounds allow': [
    'limitranges',
    { spec: { limits: [{ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }] } },
  ],
  'a LimitRange limits the storage of claims': [
    'limitranges',
    { spec: { limits: [{ type: 'PersistentVolumeClaim', min: { cpu: '1' } }] } },
  ],
  'a LimitRange limits what containers have': [
    'limitranges',
    { spec: { limits: [{ type: 'Container', max: { storage: '1' } }] } },
  ],
  'a ResourceQuota limits what can be': ['resourcequotas', { spec: { hard: { apples: '1' } } }],
  'a ResourceQuota counts in whole numbers': ['resourcequotas', { spec: { hard: { pods: '1500m' } } }],
  'a ResourceQuota is not negative': ['resourcequotas', { spec: { hard: { cpu: '-1' } } }],
  'a ResourceQuota has scopes that there are': [
    'resourcequotas',
    { spec: { hard: { pods: '1' }, scopes: ['Sometimes'] } },
  ],
  'a ResourceQuota has scopes that fit': [
    'resourcequotas',
    { spec: { hard: { secrets: '1' }, scopes: ['BestEffort'] } },
  ],
  'a ResourceQuota has no scope and its opposite': [
    'resourcequotas',
    { spec: { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] } },
  ],
  'a ResourceQuota selects scopes as it can': [
    'resourcequotas',
    {
      spec: {
        hard: { pods: '1' },
        scopeSelector: {
          matchExpressions: [
            { scopeName: 'PriorityClass', operator: 'In' },
            { scopeName: 'Terminating', operator: 'Near' },
            { scopeName: 'Sometimes', operator: 'Exists', values: ['a'] },
          ],
        },
      },
    },
  ],
  'an Event lies in the namespace of its object': ['events', { involvedObject: { namespace: 'elsewhere' } }],
  'a ReplicationController takes its labels from the template': [
    'replicationcontrollers',
    { spec: { replicas: 0, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container()] } } } },
  ],
  'a ReplicationController needs a template that fits': ['replicationcontrollers', { spec: { replicas: -1 } }],
  'a ReplicationController selects its template': [
    'replicationcontrollers',
    {
      spec: {
        selector: { a: 'c' },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [], restartPolicy: 'Never' } },
      },
    },
  ],
  'a PodTemplate gets the defaults of a template': [
    'podtemplates',
    { template: { spec: { containers: [container()] } } },
  ],
  'a PodTemplate has no ephemeral containers': [
    'podtemplates',
    {
      template: {
        metadata: { labels: { 'a b': 'c' } },
        spec: { containers: [container()], ephemeralContainers: [container({ name: 'e' })] },
      },
    },
  ],
};

const postedCases: Readonly<Record<string, ContractCase>> = Object.fromEntries(
  Object.entries(posted).map(([title, [plural, object]]): readonly [string, ContractCase] => [
    title,
    async (api) => {
      const { metadata = {} } = object as { metadata?: object };
      await api.post(`/api/v1/namespaces/${api.namespace}/${plural}`, {
        ...object,
        metadata: { name: 'a', ...metadata },
      });
    },
  ]),
);

contract(
  'core-config',
  {},
  {
    ...postedCases,
    'immutable data stays, and stays immutable': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      for (const plural of ['configmaps', 'secrets']) {
        const path = `${namespace}/${plural}/a`;
        await api.post(
          `${namespace}/${plural}`,
          { metadata: { name: 'a' }, immutable: true, data: { a: 'YQ==' } },
          { quiet: true },
        );
        await api.patch(path, { data: { b: 'Yg==' } });
        await api.patch(path, { immutable: false });
        await api.patch(path, { metadata: { labels: { a: 'b' } } }, { only: ['metadata.labels'] });
      }
    },
    'the type of a Secret stays': async (api) => {
      const secrets = `/api/v1/namespaces/${api.namespace}/secrets`;
      await api.post(secrets, { metadata: { name: 'a' } }, { quiet: true });
      await api.patch(`${secrets}/a`, { type: 'example.com/mine' });
      await api.get(`${secrets}?fieldSelector=type%3DOpaque`, { only: ['items.*.metadata.name'] });
      await api.get(`${secrets}?fieldSelector=data%3Dx`);
    },
    'the tables of configuration have all columns': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const named = (name: string, object: object): object => ({ metadata: { name }, ...object });
      await api.post(`${namespace}/configmaps`, named('a', { data: { a: '1' }, binaryData: { b: 'YQ==' } }), {
        quiet: true,
      });
      await api.post(`${namespace}/secrets`, named('a', { data: { a: 'YQ==' } }), { quiet: true });
      await api.post(`${namespace}/limitranges`, named('a', {}), { quiet: true });
      const template = {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [container(), container({ name: 'd' })] },
      };
      await api.post(`${namespace}/podtemplates`, named('a', { template }), { quiet: true });
      await api.get(`${namespace}/configmaps/a`, { headers: table, only: cells(0, 1) });
      await api.get(`${namespace}/secrets/a`, { headers: table, only: cells(0, 1, 2) });
      await api.get(`${namespace}/serviceaccounts/default`, { headers: table, only: cells(0) });
      await api.get(`${namespace}/limitranges/a`, { headers: table, only: cells(0, 1) });
      await api.get(`${namespace}/podtemplates/a`, { headers: table, only: cells(0, 1, 2, 3) });
      await api.get(`/api/v1/namespaces/${api.namespace}`, { headers: table, only: cells(0, 1) });
    },
    'a namespace has a name that is a label': async (api) => {
      await api.post('/api/v1/namespaces', { metadata: { name: 'a.b' } });
      await api.post('/api/v1/namespaces', { metadata: { name: 'A' } });
    },
    'a namespace keeps what holds it': async (api) => {
      const name = api.name('ns');
      await api.post('/api/v1/namespaces', {
        metadata: { name, labels: { a: 'b' } },
        spec: { finalizers: ['example.com/mine'] },
      });
      await api.patch(
        `/api/v1/namespaces/${name}`,
        { spec: { finalizers: [] }, metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } } },
        { only: ['spec', 'metadata.labels'] },
      );
      await api.patch(`/api/v1/namespaces/${name}/status`, { status: { phase: 'Terminating' } });
      await api.put(`/api/v1/namespaces/${name}/finalize`, { metadata: { name }, spec: { finalizers: ['mine'] } });
      await api.put(
        `/api/v1/namespaces/${name}/finalize`,
        { metadata: { name }, spec: { finalizers: ['kubernetes'] } },
        { only: ['spec'] },
      );
    },
    'a namespace has finalizers with domains': async (api) => {
      await api.post('/api/v1/namespaces', { metadata: { name: api.name('ns') }, spec: { finalizers: ['mine'] } });
    },
    'namespaces that a cluster needs are not deleted': async (api) => {
      for (const name of ['default', 'kube-system', 'kube-public'])
        await api.delete(`/api/v1/namespaces/${name}?dryRun=All`);
    },
    'nothing is made in a namespace that is not there': async (api) => {
      await api.post('/api/v1/namespaces/no-such-namespace/configmaps', { metadata: { name: 'a' } });
    },
    'Events are selected by fields': async (api) => {
      const events = `/api/v1/namespaces/${api.namespace}/events`;
      const involvedObject = { kind: 'Pod', name: 'p', namespace: api.namespace, uid: 'u', apiVersion: 'v1' };
      const event = {
        involvedObject,
        reason: 'Made',
        type: 'Normal',
        source: { component: 'me' },
        message: 'made',
        count: 3,
      };
      await api.post(events, { metadata: { name: 'a' }, ...event });
      for (const field of [
        'involvedObject.kind=Pod',
        'involvedObject.name=q',
        'reason=Made',
        'type=Warning',
        'source=me',
        'involvedObject.uid=u',
        'message=made',
      ]) {
        await api.get(`${events}?fieldSelector=${encodeURIComponent(field)}`, {
          only: ['items.*.metadata.name', 'message'],
        });
      }
      await api.get(`${events}/a`, { headers: table, only: cells(1, 2, 3, 4, 5, 6, 8, 9) });
    },
    'a LimitRange is given to the containers of Pods, and holds for them': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const limits = [
        {
          type: 'Container',
          default: { cpu: '500m' },
          defaultRequest: { cpu: '100m' },
          max: { cpu: '1' },
          min: { cpu: '50m' },
          maxLimitRequestRatio: { cpu: '5' },
        },
      ];
      await api.post(`${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } }, { quiet: true });
      const only = ['metadata.annotations', 'spec.containers', 'spec.initContainers', 'message', 'reason', 'details'];
      const sized = (resources: object): object => ({ containers: [container({ resources })] });
      await api.post(`${namespace}/pods`, pod('a', { initContainers: [container({ name: 'i' })] }), { only });
      await api.post(`${namespace}/pods`, pod('b', sized({ limits: { cpu: '2' }, requests: { cpu: '1' } })), { only });
      await api.post(`${namespace}/pods`, pod('c', sized({ requests: { cpu: '10m' }, limits: { cpu: '50m' } })), {
        only,
      });
      await api.post(`${namespace}/pods`, pod('d', sized({ limits: { cpu: '1' }, requests: { cpu: '100m' } })), {
        only,
      });
    },
    'a LimitRange holds for Pods as a whole': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const limits = [{ type: 'Pod', max: { memory: '1Gi' } }];
      await api.post(`${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } }, { quiet: true });
      const sized = container({ resources: { limits: { memory: '700Mi' } } });
      await api.post(`${namespace}/pods`, pod('a'));
      await api.post(`${namespace}/pods`, pod('b', { containers: [sized, { ...sized, name: 'd' }] }));
    },
    'a ResourceQuota counts, and lets in no more': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const hard = { pods: '1', configmaps: '3', 'requests.cpu': '1', 'count/secrets': '1', services: '0' };
      await api.post(
        `${namespace}/resourcequotas`,
        { metadata: { name: 'q' }, spec: { hard } },
        { only: ['spec', 'status'] },
      );
      const counted = (path: string): Promise<unknown> =>
        api.until(
          path,
          ({ body }) => Object.keys((body as { status?: { used?: object } }).status?.used ?? {}).length === 5,
        );
      await counted(`${namespace}/resourcequotas/q`);
      await api.post(`${namespace}/pods`, pod('a'));
      const sized = pod('b', { containers: [container({ resources: { requests: { cpu: '700m' } } })] });
      await api.post(`${namespace}/pods`, sized, { only: ['metadata.name'] });
      await api.post(
        `${namespace}/pods`,
        pod('c', { containers: [container({ resources: { requests: { cpu: '2' } } })] }),
      );
      await api.post(`${namespace}/secrets`, { metadata: { name: 'a' } }, { only: ['metadata.name'] });
      await api.post(`${namespace}/secrets`, { metadata: { name: 'b' } });
      await api.post(`${namespace}/services`, { metadata: { name: 'b' }, spec: { ports: [{ port: 80 }] } });
      await api.until(
        `${namespace}/resourcequotas/q`,
        ({ body }) => (body as { status: { used: { pods?: string } } }).status.used.pods === '1',
      );
      await api.get(`${namespace}/resourcequotas/q`, { only: ['status'] });
      await api.get(`${namespace}/resourcequotas/q`, { headers: table, only: cells(0, 1, 2) });
      await api.delete(`${namespace}/pods/b`, undefined, { quiet: true });
      await api.until(
        `${namespace}/resourcequotas/q`,
        ({ body }) => (body as { status: { used: { pods?: string } } }).status.used.pods === '0',
      );
      await api.post(`${namespace}/pods`, sized, { only: ['metadata.name'] });
    },
    'the scopes of a ResourceQuota stay': async (api) => {
      const quotas = `/api/v1/namespaces/${api.namespace}/resourcequotas`;
      await api.post(
        quotas,
        { metadata: { name: 'q' }, spec: { hard: { pods: '1' }, scopes: ['BestEffort'] } },
        { quiet: true },
      );
      await api.patch(`${quotas}/q`, { spec: { scopes: ['NotBestEffort'] } });
    },
    'what a LimitRange gives to a Pod says how well it is guarded': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const limits = [{ type: 'Container', default: { cpu: '1', memory: '1Gi' } }];
      await api.post(`${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } }, { quiet: true });
      const only = ['status.qosClass', 'spec.resources', 'message'];
      await api.post(`${namespace}/pods`, pod('a'), { only });
      const nothing = { requests: { cpu: '0' }, limits: { cpu: '0', memory: '0' } };
      await api.post(`${namespace}/pods`, pod('b', { containers: [container({ resources: nothing })] }), { only });
      await api.post(`${namespace}/pods`, pod('c', { resources: { limits: { cpu: '3' } } }), { only });
      await api.post(`${namespace}/pods`, pod('d', { resources: { requests: { cpu: '500m' } } }), { only });
    },
    'a LimitRange says once what is wrong with several containers': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const limits = [{ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }];
      await api.post(`${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } }, { quiet: true });
      await api.post(`${namespace}/pods`, pod('a', { containers: [container(), container({ name: 'd' })] }));
    },
    'what cannot be promised twice is asked for as it is limited': async (api) => {
      const ranges = `/api/v1/namespaces/${api.namespace}/limitranges`;
      const limits = [{ type: 'Container', default: { 'a.b/c': '2' }, defaultRequest: { 'a.b/c': '1' } }];
      await api.post(ranges, { metadata: { name: 'l' }, spec: { limits } });
      await api.post(ranges, { metadata: { name: 'none' }, spec: { limits: [] } });
    },
    'amounts of resources are kept to a thousandth': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const odd = { cpu: '1.23456', memory: '100.00001Mi' };
      await api.post(`${namespace}/pods`, pod('a', { containers: [container({ resources: { requests: odd } })] }), {
        only: ['spec.containers.*.resources'],
      });
      await api.post(
        `${namespace}/resourcequotas`,
        { metadata: { name: 'q' }, spec: { hard: odd } },
        { only: ['spec'] },
      );
      await api.post(
        '/apis/node.k8s.io/v1/runtimeclasses?dryRun=All',
        { metadata: { name: 'r' }, handler: 'h', overhead: { podFixed: { cpu: '1.00001' } } },
        { only: ['overhead'] },
      );
    },
    'the scopes of a selector suit what is limited': async (api) => {
      const quotas = `/api/v1/namespaces/${api.namespace}/resourcequotas`;
      const scoped = (hard: object, ...names: readonly string[]): object => {
        const matchExpressions = names.map((scopeName) => ({ scopeName, operator: 'Exists' }));
        return { metadata: { name: 'q' }, spec: { hard, scopeSelector: { matchExpressions } } };
      };
      await api.post(quotas, scoped({ cpu: '1' }, 'BestEffort'));
      await api.post(quotas, scoped({ pods: '1' }, 'BestEffort', 'NotBestEffort'));
      await api.post(quotas, scoped({ pods: '99999999999999999999' }));
    },
    'claims are counted by their classes': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const quota = async (name: string, spec: object): Promise<void> => {
        await api.post(`${namespace}/resourcequotas`, { metadata: { name }, spec }, { quiet: true });
        await api.until(`${namespace}/resourcequotas/${name}`, ({ body }) => body.status.used !== undefined);
      };
      const gold = { scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold'] };
      await quota('attributes', { hard: { persistentvolumeclaims: '1' }, scopeSelector: { matchExpressions: [gold] } });
      await quota('storage', { hard: { 'old.storageclass.storage.k8s.io/requests.storage': '1' } });
      const claim = (name: string, spec: object, annotations: object = {}): Promise<unknown> =>
        api.post(
          `${namespace}/persistentvolumeclaims`,
          {
            metadata: { name, annotations },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, ...spec },
          },
          { only: ['metadata.name', 'message'] },
        );
      await claim('a', { volumeAttributesClassName: 'gold' });
      await claim('b', { volumeAttributesClassName: 'gold' });
      await claim('c', { volumeAttributesClassName: 'silver' });
      await claim('d', {}, { 'volume.beta.kubernetes.io/storage-class': 'old' });
      await claim('e', {}, { 'volume.beta.kubernetes.io/storage-class': 'old' });
    },
    'a Service that takes less is counted anew': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const hard = { 'services.nodeports': '1', 'count/nothing.example.com': '1', 'count/events': '1' };
      await api.post(`${namespace}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } }, { quiet: true });
      const used = (count: string): Promise<unknown> =>
        api.until(`${namespace}/resourcequotas/q`, ({ body }) => body.status.used?.['services.nodeports'] === count);
      await used('0');
      const service = { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
      await api.post(`${namespace}/services`, service, { quiet: true });
      await used('1');
      const [ports, nodePort] = [[{ port: 80, nodePort: null }], { spec: { type: 'ClusterIP' } }];
      await api.patch(`${namespace}/services/s`, { spec: { ...nodePort.spec, ports } }, { quiet: true });
      await used('0');
      await api.get(`${namespace}/resourcequotas/q`, { only: ['status'] });
    },
  },
);
