import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { change, install, served, statusAndScale, version, widgets, widgetsOf } from './custom-kinds.js';
import { configMap, configMaps, type HookFields, hooked, type Hooks, rule, widgetRule } from './hooks.js';
import { deny, mutate } from './webhook-replies.js';

const quiet = { quiet: true };
const target = ['request.resource', 'request.subResource', 'request.operation', 'request.name'];
const resources = [
  'apiVersion',
  'request.kind',
  'request.resource',
  'request.subResource',
  'request.requestKind',
  'request.requestResource',
  'request.requestSubResource',
  'request.object',
  'request.oldObject',
];

const widget = (api: ContractApi, name = 'w', inVersion = 'v1'): object => ({
  apiVersion: `${api.group}/${inVersion}`,
  kind: 'Widget',
  metadata: { name },
  spec: { size: 1 },
});

/** Creates, updates, patches and deletes a ConfigMap, and shows which of these requests the webhooks received. */
async function allWrites(api: ContractApi, hooks: Hooks): Promise<void> {
  await api.post(configMaps(api), configMap('a'), quiet);
  await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }), quiet);
  await api.patch(configMaps(api, 'a'), { data: { k: 'x' } }, quiet);
  await api.delete(configMaps(api, 'a'), undefined, quiet);
  hooks.reviews({ only: target });
}

/** Creates one object of several kinds and writes subresources, and shows which of these requests the webhook received. */
async function severalKinds(api: ContractApi, hooks: Hooks, fields: HookFields): Promise<void> {
  await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
  await hooks.validate(fields);
  await api.post(configMaps(api), configMap('a'), quiet);
  await api.post(`/api/v1/namespaces/${api.namespace}/secrets`, { metadata: { name: 's' } }, quiet);
  const lease = { metadata: { name: 'l' }, spec: {} };
  await api.post(`/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases`, lease, quiet);
  await api.post(widgetsOf(api), widget(api), quiet);
  await api.patch(`${widgetsOf(api)}/w/status`, { status: { size: 2 } }, quiet);
  await api.patch(`${widgetsOf(api)}/w/scale`, { spec: { replicas: 2 } }, quiet);
  hooks.reviews({ only: target });
}

/** Installs Widget in two versions, and a webhook with a rule for the first version. Creates a Widget in the second version. */
async function otherVersion(api: ContractApi, hooks: Hooks, fields: HookFields): Promise<void> {
  await install(api, widgets(api, { versions: [version('v1'), version('v2', { storage: false })] }));
  await hooks.validate({ rules: [widgetRule(api)], ...fields });
  await api.post(widgetsOf(api, 'v2'), widget(api, 'w', 'v2'), quiet);
  await api.patch(`${widgetsOf(api, 'v2')}/w`, { spec: { size: 2 } }, quiet);
  await api.delete(`${widgetsOf(api, 'v2')}/w`, undefined, quiet);
  hooks.reviews({ only: resources });
}

/** All groups and versions. Cluster-scoped objects are excluded, because the webhook would receive the objects of other cases. */
const everywhere = { apiGroups: ['*'], apiVersions: ['*'], scope: 'Namespaced' };

const withLabel = (name: string, labels: object): object => configMap(name, {}, { labels });

contract(
  'webhooks-matching',
  { webhooks: true },
  {
    'calls a webhook for creates only': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [rule({ operations: ['CREATE'] })] });
      await allWrites(api, hooks);
    }),
    'calls a webhook for updates and patches only': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [rule({ operations: ['UPDATE'] })] });
      await allWrites(api, hooks);
    }),
    'calls a webhook for deletions only': hooked(async (api, hooks) => {
      await hooks.mutate({ rules: [rule({ operations: ['DELETE'] })] });
      await allWrites(api, hooks);
    }),
    'calls a webhook for several operations': hooked(async (api, hooks) => {
      await hooks.mutate({ rules: [rule({ operations: ['DELETE', 'CREATE'] })] });
      await allWrites(api, hooks);
    }),
    'does not call a webhook for connections when an object is written': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [rule({ operations: ['CONNECT'] })] });
      await allWrites(api, hooks);
    }),
    'does not call a webhook without rules': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [] });
      await allWrites(api, hooks);
    }),
    'calls a webhook once if several rules match': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [rule({ operations: ['CREATE'] }), rule(), rule({ apiVersions: ['*'] })] });
      await allWrites(api, hooks);
    }),
    'matches all resources of the core group': hooked(async (api, hooks) => {
      await severalKinds(api, hooks, { rules: [rule({ resources: ['*'] })] });
    }),
    'matches all groups and versions': hooked(async (api, hooks) => {
      const rules = [rule({ ...everywhere, resources: ['leases', 'secrets', 'widgets'] })];
      await severalKinds(api, hooks, { rules });
    }),
    'matches all resources without subresources': hooked(async (api, hooks) => {
      await severalKinds(api, hooks, { rules: [rule({ ...everywhere, resources: ['*'] })] });
    }),
    'matches all resources with subresources': hooked(async (api, hooks) => {
      await severalKinds(api, hooks, { rules: [rule({ ...everywhere, resources: ['*/*'] })] });
    }),
    'matches one subresource of all resources': hooked(async (api, hooks) => {
      const rules = [rule({ ...everywhere, resources: ['*/status'] })];
      await severalKinds(api, hooks, { rules });
    }),
    'matches all subresources of one resource, and the resource': hooked(async (api, hooks) => {
      await severalKinds(api, hooks, { rules: [widgetRule(api, { resources: ['widgets/*'] })] });
    }),
    'matches one subresource of one resource': hooked(async (api, hooks) => {
      await severalKinds(api, hooks, { rules: [widgetRule(api, { resources: ['widgets/scale'] })] });
    }),
    'matches a resource without its subresources': hooked(async (api, hooks) => {
      await severalKinds(api, hooks, { rules: [widgetRule(api)] });
    }),
    'does not match another version of a built-in resource': hooked(async (api, hooks) => {
      await severalKinds(api, hooks, { matchPolicy: 'Exact', rules: [rule({ apiVersions: ['v2'] })] });
    }),
    'does not match another group': hooked(async (api, hooks) => {
      await severalKinds(api, hooks, { rules: [rule({ apiGroups: ['apps'] })] });
    }),
    'matches only resources with a namespace': hooked(async (api, hooks) => {
      await install(api, widgets(api, { scope: 'Cluster' }));
      const all = { apiGroups: [api.group, ''], resources: ['widgets', 'configmaps'], scope: 'Namespaced' };
      await hooks.validate({ rules: [rule(all)] });
      await api.post(`/apis/${api.group}/v1/widgets`, widget(api), quiet);
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: target });
    }),
    'matches only resources without a namespace': hooked(async (api, hooks) => {
      await install(api, widgets(api, { scope: 'Cluster' }));
      const all = { apiGroups: [api.group, ''], resources: ['widgets', 'configmaps'], scope: 'Cluster' };
      await hooks.validate({ rules: [rule(all)] });
      await api.post(`/apis/${api.group}/v1/widgets`, widget(api), quiet);
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: target });
    }),
    'matches the requested version with matchPolicy Exact': hooked(async (api, hooks) => {
      await otherVersion(api, hooks, { matchPolicy: 'Exact', rules: [widgetRule(api, { apiVersions: ['v2'] })] });
    }),
    'does not match another version with matchPolicy Exact': hooked(async (api, hooks) => {
      await otherVersion(api, hooks, { matchPolicy: 'Exact' });
    }),
    'matches another version with matchPolicy Equivalent, and converts the objects': hooked(async (api, hooks) => {
      await otherVersion(api, hooks, { matchPolicy: 'Equivalent' });
    }),
    'matches another version by default': hooked(async (api, hooks) => {
      await otherVersion(api, hooks, {});
    }),
    'prefers the requested version to an earlier rule for another version': hooked(async (api, hooks) => {
      const rules = [widgetRule(api), widgetRule(api, { apiVersions: ['v2'] })];
      await otherVersion(api, hooks, { rules });
    }),
    'sends another version in a v1beta1 review': hooked(async (api, hooks) => {
      await otherVersion(api, hooks, { admissionReviewVersions: ['v1beta1'] });
    }),
    'matches another version of a subresource': hooked(async (api, hooks) => {
      const subresources = statusAndScale;
      const versions = [version('v1', { subresources }), version('v2', { storage: false, subresources })];
      await install(api, widgets(api, { versions }));
      await api.post(widgetsOf(api, 'v2'), widget(api, 'w', 'v2'), quiet);
      await hooks.validate({ rules: [widgetRule(api, { resources: ['widgets/status', 'widgets/scale'] })] });
      await api.patch(`${widgetsOf(api, 'v2')}/w/status`, { status: { size: 2 } }, quiet);
      await api.patch(`${widgetsOf(api, 'v2')}/w/scale`, { spec: { replicas: 2 } }, quiet);
      hooks.reviews({ only: resources });
    }),
    'applies the patch of a webhook that receives another version': hooked(async (api, hooks) => {
      await install(api, widgets(api, { versions: [version('v1'), version('v2', { storage: false })] }));
      const operations = [{ op: 'add', path: '/spec/colour', value: 'red' }];
      await hooks.mutate(
        { name: 'first', rules: [widgetRule(api)], reply: mutate(operations) },
        { name: 'second', rules: [widgetRule(api, { apiVersions: ['v2'] })] },
      );
      await api.post(widgetsOf(api, 'v2'), widget(api, 'w', 'v2'));
      hooks.reviews({ only: resources });
    }),
    'matches an equivalent group of a built-in kind': hooked(async (api, hooks) => {
      const rules = [rule({ apiGroups: ['events.k8s.io'], resources: ['events'] })];
      await hooks.validate({ rules });
      const involvedObject = { kind: 'Pod', namespace: api.namespace, name: 'p' };
      const event = { metadata: { name: 'e' }, involvedObject, reason: 'Because', type: 'Normal' };
      await api.post(`/api/v1/namespaces/${api.namespace}/events`, event, quiet);
      hooks.reviews({ only: resources });
    }),
    'matches an equivalent version of a built-in kind': hooked(async (api, hooks) => {
      const rules = [rule({ apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'] })];
      await hooks.validate({ rules });
      const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
      const autoscaler = { metadata: { name: 'h' }, spec: { scaleTargetRef, maxReplicas: 3 } };
      const path = `/apis/autoscaling/v2/namespaces/${api.namespace}/horizontalpodautoscalers`;
      await api.post(path, autoscaler, quiet);
      hooks.reviews({ only: resources });
    }),
    'matches a version that an update of the definition adds': hooked(async (api, hooks) => {
      await install(api, widgets(api));
      await hooks.validate({ rules: [widgetRule(api)] });
      const versions = [version('v1'), version('v2', { storage: false })];
      await change(api, { versions }, quiet);
      await served(api, widgets(api, { versions }));
      await api.post(widgetsOf(api, 'v2'), widget(api, 'w', 'v2'), quiet);
      hooks.reviews({ only: resources });
    }),
    'calls webhooks in other namespaces only if the namespaceSelector matches': hooked(async (api, hooks) => {
      const other = api.name('other');
      await api.post('/api/v1/namespaces', { metadata: { name: other, labels: { team: api.group } } }, quiet);
      // The server itself creates a ConfigMap in each namespace.
      const objectSelector = { matchLabels: { own: 'yes' } };
      await hooks.validate({ namespaceSelector: { matchLabels: { team: api.group } }, objectSelector });
      await api.post(configMaps(api), withLabel('a', { own: 'yes' }), quiet);
      await api.post(`/api/v1/namespaces/${other}/configmaps`, withLabel('b', { own: 'yes' }), quiet);
      await api.delete(`/api/v1/namespaces/${other}/configmaps/b`, undefined, quiet);
      hooks.reviews({ only: ['request.namespace', 'request.name', 'request.operation'] });
      await api.delete(`/api/v1/namespaces/${other}`, undefined, quiet);
    }),
    'matches expressions of a namespaceSelector': hooked(async (api, hooks) => {
      const key = 'kubernetes.io/metadata.name';
      await hooks.validate(
        { name: 'in', namespaceSelector: { matchExpressions: [{ key, operator: 'In', values: [api.namespace] }] } },
        {
          name: 'not-in',
          rules: [widgetRule(api)],
          namespaceSelector: { matchExpressions: [{ key, operator: 'NotIn', values: [api.namespace] }] },
        },
      );
      await install(api, widgets(api));
      await api.post(widgetsOf(api), widget(api), quiet);
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: target });
    }),
    'applies the namespaceSelector to the labels of a new namespace': hooked(async (api, hooks) => {
      const rules = [rule({ resources: ['namespaces'], operations: ['CREATE', 'UPDATE'] })];
      await hooks.validate({ rules, namespaceSelector: { matchLabels: { team: api.group } }, reply: deny() });
      const labels = { team: api.group };
      await api.post('/api/v1/namespaces', { metadata: { name: api.name('selected'), labels } });
      await api.post('/api/v1/namespaces?dryRun=All', { metadata: { name: api.name('other') } }, { only: ['kind'] });
      hooks.reviews({ only: ['request.namespace', 'request.name', 'request.operation', 'request.resource'] });
    }),
    'ignores the namespaceSelector for cluster-scoped kinds': hooked(async (api, hooks) => {
      await install(api, widgets(api, { scope: 'Cluster' }));
      await hooks.validate({ rules: [widgetRule(api)], namespaceSelector: { matchLabels: { team: 'none' } } });
      await api.post(`/apis/${api.group}/v1/widgets`, widget(api), quiet);
      hooks.reviews({ only: target });
    }),
    'calls a webhook if the objectSelector matches a new object': hooked(async (api, hooks) => {
      await hooks.validate({ objectSelector: { matchLabels: { l: 'x' } } });
      await api.post(configMaps(api), withLabel('a', { l: 'x' }), quiet);
      await api.post(configMaps(api), withLabel('b', { l: 'y' }), quiet);
      await api.post(configMaps(api), configMap('c'), quiet);
      hooks.reviews({ only: target });
    }),
    'calls a webhook if the objectSelector matches the old or the new object': hooked(async (api, hooks) => {
      await hooks.validate({ objectSelector: { matchLabels: { l: 'x' } }, rules: [rule({ operations: ['UPDATE'] })] });
      for (const name of ['a', 'b']) await api.post(configMaps(api), withLabel(name, { l: 'x' }), quiet);
      for (const name of ['c', 'd']) await api.post(configMaps(api), withLabel(name, { l: 'y' }), quiet);
      for (const name of ['a', 'c']) await api.put(configMaps(api, name), withLabel(name, { l: 'x' }), quiet);
      for (const name of ['b', 'd']) await api.put(configMaps(api, name), withLabel(name, { l: 'y' }), quiet);
      hooks.reviews({ only: target });
    }),
    'applies the objectSelector to a deleted object': hooked(async (api, hooks) => {
      await hooks.validate({ objectSelector: { matchLabels: { l: 'x' } }, rules: [rule({ operations: ['DELETE'] })] });
      await api.post(configMaps(api), withLabel('a', { l: 'x' }), quiet);
      await api.post(configMaps(api), withLabel('b', { l: 'y' }), quiet);
      for (const name of ['a', 'b']) await api.delete(configMaps(api, name), undefined, quiet);
      hooks.reviews({ only: target });
    }),
    'matches objects without the label if the objectSelector requires its absence': hooked(async (api, hooks) => {
      const matchExpressions = [{ key: 'l', operator: 'DoesNotExist' }];
      await hooks.validate({ objectSelector: { matchExpressions } });
      await api.post(configMaps(api), withLabel('a', { l: 'x' }), quiet);
      await api.post(configMaps(api), configMap('b'), quiet);
      await api.patch(configMaps(api, 'a'), { metadata: { labels: null } }, quiet);
      hooks.reviews({ only: target });
    }),
    'applies the objectSelector after an earlier webhook changed the labels': hooked(async (api, hooks) => {
      const add = [{ op: 'add', path: '/metadata/labels', value: { l: 'x' } }];
      await hooks.mutate(
        { name: 'first', reply: mutate(add) },
        { name: 'second', objectSelector: { matchLabels: { l: 'x' } } },
        { name: 'third', objectSelector: { matchExpressions: [{ key: 'l', operator: 'DoesNotExist' }] } },
      );
      await hooks.validate({ name: 'fourth', objectSelector: { matchLabels: { l: 'x' } } });
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: target });
    }),
    'applies the objectSelector to the object of a subresource': hooked(async (api, hooks) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const labels = { l: 'x' };
      await api.post(widgetsOf(api), { ...widget(api), metadata: { name: 'w', labels } }, quiet);
      await hooks.validate({
        rules: [widgetRule(api, { resources: ['widgets/*'] })],
        objectSelector: { matchLabels: labels },
      });
      await api.patch(`${widgetsOf(api)}/w/status`, { status: { size: 2 } }, quiet);
      await api.patch(`${widgetsOf(api)}/w/scale`, { spec: { replicas: 2 } }, quiet);
      hooks.reviews({ only: target });
    }),
    'calls a webhook after its configuration changes': hooked(async (api, hooks) => {
      const path = await hooks.validate({ name: 'before' });
      await hooks.replace(path, { name: 'after' });
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: target });
    }),
    'does not call a webhook after its configuration is deleted': hooked(async (api, hooks) => {
      const path = await hooks.validate({ reply: deny() });
      await api.post(configMaps(api), configMap('a'));
      await hooks.remove(path);
      await api.post(configMaps(api), configMap('a'));
    }),
  },
);
