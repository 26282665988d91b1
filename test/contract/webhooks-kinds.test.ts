import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { definitionOf, definitions, has, widgets } from './custom-kinds.js';
import { type HookFields, hooked, type Hooks, rule } from './hooks.js';
import { pod, podSpec } from './pod-bodies.js';
import { deny, label, mutate } from './webhook-replies.js';

const quiet = { quiet: true };
const target = [
  'request.resource',
  'request.kind',
  'request.subResource',
  'request.operation',
  'request.name',
  'request.namespace',
];
const brief = { only: ['kind', 'metadata.labels', 'message', 'code', 'reason', 'details', 'status'] };

const inNamespace = (api: ContractApi, group: string, plural: string): string =>
  `/${group === 'v1' ? 'api' : 'apis'}/${group}/namespaces/${api.namespace}/${plural}`;

/** Objects of built-in kinds with their group, version and plural. */
const objects: readonly (readonly [group: string, plural: string, object: object])[] = [
  ['v1', 'secrets', { metadata: { name: 'a' }, stringData: { k: 'v' } }],
  ['v1', 'serviceaccounts', { metadata: { name: 'a' } }],
  [
    'v1',
    'endpoints',
    { metadata: { name: 'a' }, subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] },
  ],
  ['v1', 'limitranges', { metadata: { name: 'a' }, spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } }],
  ['v1', 'podtemplates', { metadata: { name: 'a' }, template: { metadata: { labels: { a: 'b' } }, spec: podSpec() } }],
  [
    'v1',
    'persistentvolumeclaims',
    { metadata: { name: 'a' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  [
    'apps/v1',
    'statefulsets',
    {
      metadata: { name: 'a' },
      spec: {
        replicas: 0,
        serviceName: 's',
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
  ],
  [
    'batch/v1',
    'cronjobs',
    {
      metadata: { name: 'a' },
      spec: {
        schedule: '0 0 1 1 *',
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
        },
      },
    },
  ],
  ['coordination.k8s.io/v1', 'leases', { metadata: { name: 'a' }, spec: { holderIdentity: 'me' } }],
  ['policy/v1', 'poddisruptionbudgets', { metadata: { name: 'a' }, spec: { minAvailable: '50%', selector: {} } }],
  [
    'rbac.authorization.k8s.io/v1',
    'roles',
    { metadata: { name: 'a' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
  ],
  ['networking.k8s.io/v1', 'networkpolicies', { metadata: { name: 'a' }, spec: { podSelector: {}, ingress: [{}] } }],
  ['discovery.k8s.io/v1', 'endpointslices', { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [] }],
];

/** Creates an object with a validating and a mutating webhook, and shows the object that each of them receives. */
async function created(
  api: ContractApi,
  hooks: Hooks,
  [group, plural, object]: (typeof objects)[number],
): Promise<void> {
  const [apiVersion = '', name = ''] = group.split('/').toReversed();
  const rules = [rule({ operations: ['CREATE'], apiGroups: [name], apiVersions: [apiVersion], resources: [plural] })];
  await hooks.mutate({ name: 'first', rules });
  await hooks.validate({ name: 'second', rules });
  await api.post(inNamespace(api, group, plural), object, quiet);
  hooks.reviews({ only: [...target, 'request.object'] });
}

/** Installs a webhook for cluster-scoped objects that the case labels with its group. */
const own = (api: ContractApi, resources: readonly string[], more: HookFields): HookFields => ({
  objectSelector: { matchLabels: { own: api.group } },
  rules: [rule({ apiGroups: ['*'], apiVersions: ['*'], resources })],
  ...more,
});
const labelled = (api: ContractApi, name: string): object => ({ metadata: { name, labels: { own: api.group } } });

contract(
  'webhooks-kinds',
  { webhooks: true },
  {
    ...Object.fromEntries(
      objects.map((object) => [`sends reviews of ${object[1]}`, hooked((api, hooks) => created(api, hooks, object))]),
    ),
    'sends reviews of a Namespace': hooked(async (api, hooks) => {
      await hooks.validate({ ...own(api, ['namespaces'], {}), namespaceSelector: {} });
      const name = api.name('other');
      await api.post('/api/v1/namespaces', labelled(api, name), quiet);
      await api.patch(`/api/v1/namespaces/${name}`, { metadata: { annotations: { a: 'b' } } }, quiet);
      hooks.reviews({ only: [...target, 'request.object', 'request.oldObject'] });
      await api.delete(`/api/v1/namespaces/${name}?dryRun=All`, undefined, quiet);
      hooks.reviews({ only: [...target, 'request.object', 'request.oldObject.status', 'request.options'] });
    }),
    'rejects the deletion of a Namespace that a webhook denies': hooked(async (api, hooks) => {
      const rules = [rule({ resources: ['namespaces'], operations: ['DELETE'] })];
      await hooks.validate({ ...own(api, [], { reply: deny({ message: 'no' }) }), rules, namespaceSelector: {} });
      const name = api.name('other');
      await api.post('/api/v1/namespaces', labelled(api, name), quiet);
      await api.delete(`/api/v1/namespaces/${name}`);
      await api.get(`/api/v1/namespaces/${name}`, { only: ['status'] });
    }),
    'applies the patch of a webhook to a Namespace': hooked(async (api, hooks) => {
      await hooks.mutate({ ...own(api, ['namespaces'], { reply: label('team', 'a') }), namespaceSelector: {} });
      await api.post('/api/v1/namespaces', labelled(api, api.name('other')), brief);
    }),
    'sends reviews of a CustomResourceDefinition': hooked(async (api, hooks) => {
      await hooks.validate(own(api, ['customresourcedefinitions', 'customresourcedefinitions/status'], {}));
      await api.post(`${definitions}?dryRun=All`, widgets(api, {}, { labels: { own: api.group } }), quiet);
      hooks.reviews();
    }),
    'applies the patch of a webhook to a CustomResourceDefinition': hooked(async (api, hooks) => {
      const shortNames = mutate([{ op: 'add', path: '/spec/names/shortNames', value: [`w${api.group.slice(0, 11)}`] }]);
      api.mask(`w${api.group.slice(0, 11)}`, '<short name>');
      await hooks.mutate(own(api, ['customresourcedefinitions'], { reply: shortNames }));
      await api.post(definitions, widgets(api, {}, { labels: { own: api.group } }), {
        only: ['spec.names', 'message'],
      });
      await api.until(definitionOf(api), has('Established', 'True'));
    }),
    'rejects a CustomResourceDefinition that a webhook denies': hooked(async (api, hooks) => {
      await hooks.validate(own(api, ['customresourcedefinitions'], { reply: deny({ message: 'no', code: 403 }) }));
      await api.post(definitions, widgets(api, {}, { labels: { own: api.group } }));
      await api.get(definitionOf(api), { only: ['code'] });
    }),
    'sends reviews of a ClusterRole': hooked(async (api, hooks) => {
      await hooks.validate(own(api, ['clusterroles'], {}));
      await api.post(
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        { ...labelled(api, api.name('role')), rules: [] },
        quiet,
      );
      hooks.reviews({ only: [...target, 'request.object'] });
    }),
    'sends reviews of a PersistentVolume': hooked(async (api, hooks) => {
      await hooks.mutate(own(api, ['persistentvolumes'], {}));
      const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/x' } };
      await api.post('/api/v1/persistentvolumes?dryRun=All', { ...labelled(api, api.name('volume')), spec }, quiet);
      hooks.reviews({ only: [...target, 'request.object'] });
    }),
    'sends reviews of a PriorityClass': hooked(async (api, hooks) => {
      await hooks.mutate(
        own(api, ['priorityclasses'], { reply: mutate([{ op: 'replace', path: '/value', value: 7 }]) }),
      );
      const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
      await api.post(
        `${path}?dryRun=All`,
        { ...labelled(api, api.name('class')), value: 5 },
        { only: ['value', 'message'] },
      );
      hooks.reviews({ only: [...target, 'request.object'] });
    }),
    'sends a mutating webhook a Service without addresses, and a validating webhook the same Service with addresses':
      hooked(async (api, hooks) => {
        const rules = [rule({ resources: ['services'] })];
        await hooks.mutate({ name: 'first', rules });
        await hooks.validate({ name: 'second', rules });
        const spec = { ports: [{ port: 80 }], selector: { app: 'a' } };
        await api.post(`/api/v1/namespaces/${api.namespace}/services`, { metadata: { name: 's' }, spec }, quiet);
        hooks.reviews({ only: ['request.object.spec'] });
      }),
    'sends a mutating webhook a Job without a selector, and a validating webhook the same Job with a selector': hooked(
      async (api, hooks) => {
        const rules = [rule({ apiGroups: ['batch'], resources: ['jobs'], operations: ['CREATE'] })];
        await hooks.mutate({ name: 'first', rules });
        await hooks.validate({ name: 'second', rules });
        const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
        const job = { metadata: { name: 'j' }, spec: { suspend: true, template } };
        await api.post(`/apis/batch/v1/namespaces/${api.namespace}/jobs`, job, quiet);
        hooks.reviews({ only: ['request.object.spec'] });
      },
    ),
    'sends reviews of a Pod': hooked(async (api, hooks) => {
      const rules = [rule({ resources: ['pods'] })];
      await hooks.mutate({ name: 'first', rules });
      await hooks.validate({ name: 'second', rules });
      await api.post(
        `/api/v1/namespaces/${api.namespace}/pods`,
        pod('p', { schedulingGates: [{ name: 'example.com/g' }] }),
        quiet,
      );
      hooks.reviews({ only: [...target, 'request.options', 'request.object'] });
    }),
    'sends reviews of the deletion of a Pod': hooked(async (api, hooks) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('p'), quiet);
      await hooks.validate({ rules: [rule({ resources: ['pods'] })] });
      await api.delete(`/api/v1/namespaces/${api.namespace}/pods/p`, { gracePeriodSeconds: 0 }, quiet);
      // The number of calls depends on the cache of the server.
      const shown = hooks.server.takeCalls().map(({ review: { request } }) => {
        const { operation, subResource, name, options, object, oldObject } = request;
        return JSON.stringify({ operation, subResource, name, options, object, old: oldObject?.metadata?.name });
      });
      api.received('distinct reviews', [...new Set(shown)]);
    }),
    'calls webhooks before it checks a quota': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [rule({ resources: ['configmaps'] })], reply: deny({ message: 'no' }) });
      const quotas = `/api/v1/namespaces/${api.namespace}/resourcequotas`;
      await api.post(quotas, { metadata: { name: 'q' }, spec: { hard: { 'count/configmaps': '0' } } }, quiet);
      await api.until(`${quotas}/q`, ({ body }) => body.status?.hard !== undefined);
      await api.post(`/api/v1/namespaces/${api.namespace}/configmaps`, { metadata: { name: 'a' } }, brief);
    }),
    'sends a review of a LocalSubjectAccessReview': hooked(async (api, hooks) => {
      const rules = [rule({ apiGroups: ['authorization.k8s.io'], resources: ['localsubjectaccessreviews'] })];
      await hooks.validate({ rules });
      const resourceAttributes = { namespace: api.namespace, verb: 'get', resource: 'pods' };
      const path = `/apis/authorization.k8s.io/v1/namespaces/${api.namespace}/localsubjectaccessreviews`;
      const body = { metadata: { namespace: api.namespace }, spec: { user: 'u', resourceAttributes } };
      await api.post(path, body, { only: ['status.allowed', 'message'] });
      hooks.reviews();
    }),
    'sends a review of an exec request to a Pod': hooked(async (api, hooks) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('p'), quiet);
      await hooks.validate({
        rules: [rule({ operations: ['CONNECT'], resources: ['pods/exec'] })],
        reply: deny({ message: 'no' }),
      });
      await api.post(`/api/v1/namespaces/${api.namespace}/pods/p/exec?command=ls&command=-l&container=c&stdout=true`);
      hooks.reviews();
    }),
    'sends reviews of portforward and attach requests to a Pod': hooked(async (api, hooks) => {
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('p'), quiet);
      const rules = [rule({ operations: ['CONNECT'], resources: ['pods/portforward', 'pods/attach'] })];
      await hooks.validate({ rules, reply: deny({ message: 'no' }) });
      await api.post(`/api/v1/namespaces/${api.namespace}/pods/p/portforward?ports=80`);
      await api.get(`/api/v1/namespaces/${api.namespace}/pods/p/attach?stdin=true&container=c`);
      hooks.reviews({ only: [...target, 'request.object', 'request.oldObject', 'request.options'] });
    }),
    'applies the patch of a webhook to the rules of a Role': hooked(async (api, hooks) => {
      const rules = [rule({ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'] })];
      await hooks.mutate({ rules, reply: mutate([{ op: 'add', path: '/rules/0/verbs/-', value: 'list' }]) });
      const role = { metadata: { name: 'r' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] };
      await api.post(inNamespace(api, 'rbac.authorization.k8s.io/v1', 'roles'), role, { only: ['rules', 'message'] });
      hooks.reviews({ only: ['request.object.rules'] });
    }),
  },
);
