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
  'ConfigMap: rejects an invalid key': ['configmaps', { data: { 'a b': '1' } }],
  "ConfigMap: rejects the key '..'": ['configmaps', { data: { '..': '2' } }],
  "ConfigMap: rejects a key that starts with '..'": ['configmaps', { data: { '..a': '3' } }],
  'ConfigMap: rejects a key in both data and binaryData': [
    'configmaps',
    { data: { a: '1' }, binaryData: { a: 'YQ==' } },
  ],
  'ConfigMap: rejects more than 1 MiB of data': ['configmaps', { data: { a: 'x'.repeat(1_048_577) } }],
  'ConfigMap: accepts empty data': ['configmaps', { data: {}, immutable: false }],
  'ConfigMap: reads null as an empty string': ['configmaps', { data: { a: null } }],
  'ConfigMap: rejects a value that is not a string': ['configmaps', { data: { a: 1 } }],
  'ConfigMap: rejects data that is not a map': ['configmaps', { data: ['a'] }],
  'ConfigMap: rejects invalid base64': ['configmaps', { binaryData: { a: 'a b' } }],
  'ConfigMap: rejects a label value that is not a string': ['configmaps', { metadata: { labels: { a: true } } }],
  'ConfigMap: warns about an unknown field': ['configmaps', { spec: {} }],
  'ConfigMap: rejects an object of another kind': ['configmaps', { kind: 'Secret', apiVersion: 'v1' }],
  'ConfigMap: rejects an object of an unknown kind': ['configmaps', { kind: 'Thing', apiVersion: 'v1' }],
  'ConfigMap: rejects another apiVersion': ['configmaps', { kind: 'ConfigMap', apiVersion: 'v2' }],
  'ConfigMap: rejects a finalizer without a domain': ['configmaps', { metadata: { finalizers: ['mine'] } }],
  'Secret: defaults the type to Opaque': ['secrets', { data: { a: 'YQ==' } }],
  'Secret: merges stringData into data': [
    'secrets',
    { data: { a: 'YQ==', b: 'Yg==' }, stringData: { a: 'x', c: 'y' } },
  ],
  'Secret: rejects an invalid key': ['secrets', { data: { 'a/b': '' } }],
  'Secret: rejects invalid base64': ['secrets', { data: { a: 'YQ' } }],
  'Secret: rejects the type tls without a key and a certificate': ['secrets', { type: 'kubernetes.io/tls' }],
  'Secret: rejects the type dockerconfigjson without its key': ['secrets', { type: 'kubernetes.io/dockerconfigjson' }],
  'Secret: rejects the type dockerconfigjson with invalid JSON': [
    'secrets',
    { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('[]') } },
  ],
  'Secret: rejects the type basic-auth without a user name and a password': [
    'secrets',
    { type: 'kubernetes.io/basic-auth' },
  ],
  'Secret: rejects the type ssh-auth without a key': [
    'secrets',
    { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
  ],
  'Secret: rejects the type service-account-token without its annotation': [
    'secrets',
    { type: 'kubernetes.io/service-account-token' },
  ],
  'Secret: accepts a custom type': ['secrets', { type: 'example.com/mine' }],
  'ServiceAccount: accepts an empty object': ['serviceaccounts', {}],
  'ServiceAccount: rejects secrets that are not references': ['serviceaccounts', { secrets: ['a'] }],
  'ServiceAccount: keeps secrets and imagePullSecrets': [
    'serviceaccounts',
    { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }], automountServiceAccountToken: false },
  ],
  'LimitRange: defaults the limits of the type Container': [
    'limitranges',
    {
      spec: { limits: [{ type: 'Container', max: { cpu: '2' }, min: { memory: '1Mi' }, default: { memory: '1Gi' } }] },
    },
  ],
  'LimitRange: rejects defaults for the type Pod': [
    'limitranges',
    { spec: { limits: [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }] } },
  ],
  'LimitRange: rejects duplicate and unknown types': [
    'limitranges',
    { spec: { limits: [{ type: 'Pod' }, { type: 'Pod' }, { type: 'Node' }, { type: '-' }] } },
  ],
  'LimitRange: rejects bounds that contradict each other': [
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
  'LimitRange: rejects a ratio below one': [
    'limitranges',
    { spec: { limits: [{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }] } },
  ],
  'LimitRange: rejects a ratio that the bounds do not permit': [
    'limitranges',
    { spec: { limits: [{ type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }] } },
  ],
  'LimitRange: rejects the type PersistentVolumeClaim without bounds': [
    'limitranges',
    { spec: { limits: [{ type: 'PersistentVolumeClaim', min: { cpu: '1' } }] } },
  ],
  'LimitRange: rejects a resource that containers do not have': [
    'limitranges',
    { spec: { limits: [{ type: 'Container', max: { storage: '1' } }] } },
  ],
  'ResourceQuota: rejects an unknown resource': ['resourcequotas', { spec: { hard: { apples: '1' } } }],
  'ResourceQuota: rejects a fractional count': ['resourcequotas', { spec: { hard: { pods: '1500m' } } }],
  'ResourceQuota: rejects a negative quantity': ['resourcequotas', { spec: { hard: { cpu: '-1' } } }],
  'ResourceQuota: rejects an unknown scope': [
    'resourcequotas',
    { spec: { hard: { pods: '1' }, scopes: ['Sometimes'] } },
  ],
  'ResourceQuota: rejects a scope that does not match the resource': [
    'resourcequotas',
    { spec: { hard: { secrets: '1' }, scopes: ['BestEffort'] } },
  ],
  'ResourceQuota: rejects conflicting scopes': [
    'resourcequotas',
    { spec: { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] } },
  ],
  'ResourceQuota: rejects an invalid scopeSelector': [
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
  'Event: rejects a namespace that differs from the namespace of the involved object': [
    'events',
    { involvedObject: { namespace: 'elsewhere' } },
  ],
  'ReplicationController: defaults labels and selector from the template': [
    'replicationcontrollers',
    { spec: { replicas: 0, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container()] } } } },
  ],
  'ReplicationController: rejects invalid fields and a missing template': [
    'replicationcontrollers',
    { spec: { replicas: -1 } },
  ],
  'ReplicationController: rejects a selector that does not match the template': [
    'replicationcontrollers',
    {
      spec: {
        selector: { a: 'c' },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [], restartPolicy: 'Never' } },
      },
    },
  ],
  'PodTemplate: defaults the template': ['podtemplates', { template: { spec: { containers: [container()] } } }],
  'PodTemplate: rejects invalid labels and ephemeral containers': [
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
    'rejects changes of immutable ConfigMaps and Secrets': async (api) => {
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
    'rejects a change of the type of a Secret': async (api) => {
      const secrets = `/api/v1/namespaces/${api.namespace}/secrets`;
      await api.post(secrets, { metadata: { name: 'a' } }, { quiet: true });
      await api.patch(`${secrets}/a`, { type: 'example.com/mine' });
      await api.get(`${secrets}?fieldSelector=type%3DOpaque`, { only: ['items.*.metadata.name'] });
      await api.get(`${secrets}?fieldSelector=data%3Dx`);
    },
    'returns all columns in the tables of configuration kinds': async (api) => {
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
    'rejects a namespace whose name is not a DNS label': async (api) => {
      await api.post('/api/v1/namespaces', { metadata: { name: 'a.b' } });
      await api.post('/api/v1/namespaces', { metadata: { name: 'A' } });
    },
    'ignores changes of the finalizers of a namespace in an update': async (api) => {
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
    'rejects a namespace finalizer without a domain': async (api) => {
      await api.post('/api/v1/namespaces', { metadata: { name: api.name('ns') }, spec: { finalizers: ['mine'] } });
    },
    'rejects the deletion of the initial namespaces': async (api) => {
      for (const name of ['default', 'kube-system', 'kube-public'])
        await api.delete(`/api/v1/namespaces/${name}?dryRun=All`);
    },
    'returns 404 for a create in an absent namespace': async (api) => {
      await api.post('/api/v1/namespaces/no-such-namespace/configmaps', { metadata: { name: 'a' } });
    },
    'selects Events by fields': async (api) => {
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
    'applies the defaults of a LimitRange to containers, and enforces its bounds': async (api) => {
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
    'enforces a LimitRange for Pods': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const limits = [{ type: 'Pod', max: { memory: '1Gi' } }];
      await api.post(`${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } }, { quiet: true });
      const sized = container({ resources: { limits: { memory: '700Mi' } } });
      await api.post(`${namespace}/pods`, pod('a'));
      await api.post(`${namespace}/pods`, pod('b', { containers: [sized, { ...sized, name: 'd' }] }));
    },
    'enforces a ResourceQuota': async (api) => {
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
    'rejects a change of the scopes of a ResourceQuota': async (api) => {
      const quotas = `/api/v1/namespaces/${api.namespace}/resourcequotas`;
      await api.post(
        quotas,
        { metadata: { name: 'q' }, spec: { hard: { pods: '1' }, scopes: ['BestEffort'] } },
        { quiet: true },
      );
      await api.patch(`${quotas}/q`, { spec: { scopes: ['NotBestEffort'] } });
    },
    'determines the QoS class of a Pod after applying the defaults of a LimitRange': async (api) => {
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
    'reports the LimitRange violations of several containers once': async (api) => {
      const namespace = `/api/v1/namespaces/${api.namespace}`;
      const limits = [{ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }];
      await api.post(`${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } }, { quiet: true });
      await api.post(`${namespace}/pods`, pod('a', { containers: [container(), container({ name: 'd' })] }));
    },
    'requires equal requests and limits of extended resources': async (api) => {
      const ranges = `/api/v1/namespaces/${api.namespace}/limitranges`;
      const limits = [{ type: 'Container', default: { 'a.b/c': '2' }, defaultRequest: { 'a.b/c': '1' } }];
      await api.post(ranges, { metadata: { name: 'l' }, spec: { limits } });
      await api.post(ranges, { metadata: { name: 'none' }, spec: { limits: [] } });
    },
    'rounds resource quantities up to thousandths': async (api) => {
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
    'rejects a scopeSelector with unsupported or conflicting scopes, and a count beyond 64 bits': async (api) => {
      const quotas = `/api/v1/namespaces/${api.namespace}/resourcequotas`;
      const scoped = (hard: object, ...names: readonly string[]): object => {
        const matchExpressions = names.map((scopeName) => ({ scopeName, operator: 'Exists' }));
        return { metadata: { name: 'q' }, spec: { hard, scopeSelector: { matchExpressions } } };
      };
      await api.post(quotas, scoped({ cpu: '1' }, 'BestEffort'));
      await api.post(quotas, scoped({ pods: '1' }, 'BestEffort', 'NotBestEffort'));
      await api.post(quotas, scoped({ pods: '99999999999999999999' }));
    },
    'counts claims towards quotas by storage class': async (api) => {
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
    'decreases the quota usage when a Service uses fewer ports': async (api) => {
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
