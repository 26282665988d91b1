import { as, rbac } from './acting.js';
import { contract } from './contract.js';
import { install, version, widgets, widgetsOf } from './custom-kinds.js';
import { configMap, configMaps, hooked, rule, widgetRule } from './hooks.js';
import { pod } from './pod-bodies.js';
import { allow, deny } from './webhook-replies.js';

const quiet = { quiet: true };
const content = [
  'request.operation',
  'request.object.data',
  'request.oldObject.data',
  'request.options',
  'request.dryRun',
];
const users = ['request.userInfo'];
const apply = 'application/apply-patch+yaml';

contract(
  'webhooks-reviews',
  { webhooks: true },
  {
    'sends a review as a POST request with a JSON body': hooked(async (api, hooks) => {
      await hooks.validate();
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ headers: true, only: ['apiVersion', 'kind'] });
    }),
    'removes the slash at the end of the URL of a webhook': hooked(async (api, hooks) => {
      hooks.server.reply('/a/b%20c', allow());
      await hooks.validate({ clientConfig: hooks.client('/a/b%20c/') });
      await api.post(configMaps(api), configMap('a'));
      hooks.reviews({ only: ['kind'] });
    }),
    'sends a review to the root path if the URL of the webhook has no path': hooked(async (api, hooks) => {
      hooks.server.reply('/', allow());
      await hooks.validate({ clientConfig: hooks.client('') });
      await api.post(configMaps(api), configMap('a'));
      hooks.reviews({ only: ['kind'] });
    }),
    'sends the timeout of the webhook in the query': hooked(async (api, hooks) => {
      await hooks.validate({ name: 'ten', timeoutSeconds: 10 });
      await hooks.mutate({ name: 'twenty', timeoutSeconds: 20 });
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: ['kind'] });
    }),
    'sends the timeout of the request in the query if it is shorter': hooked(async (api, hooks) => {
      await hooks.validate();
      await api.post(`${configMaps(api)}?timeout=20s`, configMap('a'), quiet);
      hooks.reviews({ only: ['request.options'] });
    }),
    'sends a review of a create': hooked(async (api, hooks) => {
      await hooks.validate();
      await api.post(configMaps(api), configMap('a', { k: 'v' }, { labels: { l: 'x' }, annotations: { n: 'y' } }));
      hooks.reviews();
    }),
    'sends a review of a create to a mutating webhook': hooked(async (api, hooks) => {
      await hooks.mutate();
      await api.post(configMaps(api), configMap('a', { k: 'v' }, { labels: { l: 'x' } }));
      hooks.reviews();
    }),
    'sends the same object to a validating webhook after a mutating webhook': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first' });
      await hooks.validate({ name: 'second' });
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews();
    }),
    'sends a review of a create with generateName': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first' });
      await hooks.validate({ name: 'second' });
      await api.post(configMaps(api), { metadata: { generateName: 'made-' }, data: { k: 'v' } });
      hooks.reviews({ only: ['request.name', 'request.namespace', 'request.object.metadata'] });
    }),
    'replaces the uid and the creation time that a client sets before the server sends the review': hooked(
      async (api, hooks) => {
        await hooks.validate();
        const own = { uid: 'own', creationTimestamp: '2020-01-01T00:00:00Z', generation: 7, selfLink: '/own' };
        await api.post(configMaps(api), configMap('a', {}, own));
        hooks.reviews({ only: ['request.object.metadata'] });
      },
    ),
    'sends a review of an update': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }));
      hooks.reviews();
    }),
    'sends a review of an update to a mutating webhook': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate();
      await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }));
      hooks.reviews();
    }),
    'sends a review of an update that changes nothing': hooked(async (api, hooks) => {
      const { body } = await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      await api.put(configMaps(api, 'a'), body);
      hooks.reviews({ only: content });
    }),
    'sends a review of a create for an update that creates an object': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [rule({ apiGroups: ['coordination.k8s.io'], resources: ['leases'] })] });
      const leases = `/apis/coordination.k8s.io/v1/namespaces/${api.namespace}/leases`;
      await api.put(`${leases}/l`, { metadata: { name: 'l' }, spec: { holderIdentity: 'x' } });
      hooks.reviews();
    }),
    'sends a review of a merge patch': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      await api.patch(configMaps(api, 'a'), { data: { more: 'x' } });
      hooks.reviews();
    }),
    'sends a review of a strategic merge patch': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      const type = 'application/strategic-merge-patch+json';
      await api.patch(`${configMaps(api, 'a')}?fieldManager=me`, { data: { more: 'x' } }, { type });
      hooks.reviews({ only: content });
    }),
    'sends a review of a JSON patch': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      const type = 'application/json-patch+json';
      const patch = [{ op: 'remove', path: '/data/k' }];
      await api.patch(`${configMaps(api, 'a')}?fieldValidation=Strict`, patch, { type });
      hooks.reviews({ only: content });
    }),
    'sends a review of a patch that changes nothing': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      await api.patch(configMaps(api, 'a'), { data: { k: 'v' } });
      hooks.reviews({ only: content });
    }),
    'sends a review of a create for an apply that creates an object': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first' });
      await hooks.validate({ name: 'second' });
      await api.patch(`${configMaps(api, 'a')}?fieldManager=me`, configMap('a'), { type: apply });
      hooks.reviews();
    }),
    'sends a review of an update for an apply that changes an object': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a', { other: 'x' }), quiet);
      await hooks.validate();
      await api.patch(`${configMaps(api, 'a')}?fieldManager=me&force=true`, configMap('a'), { type: apply });
      hooks.reviews();
    }),
    'sends a review of a deletion': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      await api.delete(configMaps(api, 'a'));
      hooks.reviews();
    }),
    'sends a review of a deletion to a mutating webhook': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate();
      await api.delete(configMaps(api, 'a'));
      hooks.reviews();
    }),
    'sends the options of a deletion in the review': hooked(async (api, hooks) => {
      for (const name of ['a', 'b', 'c']) await api.post(configMaps(api), configMap(name), quiet);
      const { body } = await api.get(configMaps(api, 'a'), quiet);
      // The garbage collector updates an object that is deleted in the foreground.
      await hooks.validate({ rules: [rule({ operations: ['DELETE'] })] });
      const preconditions = { uid: body.metadata.uid };
      await api.delete(configMaps(api, 'a'), { gracePeriodSeconds: 5, propagationPolicy: 'Foreground', preconditions });
      await api.delete(`${configMaps(api, 'b')}?propagationPolicy=Background&gracePeriodSeconds=3`);
      await api.delete(configMaps(api, 'c'), { kind: 'DeleteOptions', apiVersion: 'v1', orphanDependents: false });
      hooks.reviews({ only: ['request.name', 'request.options'] });
    }),
    'sends reviews of a deletion that waits for a finalizer, and of the update that removes the finalizer': hooked(
      async (api, hooks) => {
        await api.post(configMaps(api), configMap('a', {}, { finalizers: ['example.com/f'] }), quiet);
        await hooks.validate();
        await api.delete(configMaps(api, 'a'), undefined, quiet);
        await api.delete(configMaps(api, 'a'), undefined, quiet);
        await api.patch(configMaps(api, 'a'), { metadata: { finalizers: null } }, quiet);
        hooks.reviews();
      },
    ),
    'does not send reviews of requests for an absent object': hooked(async (api, hooks) => {
      await hooks.validate();
      await api.delete(configMaps(api, 'none'));
      await api.put(configMaps(api, 'none'), configMap('none', {}, { resourceVersion: '1' }));
      await api.patch(configMaps(api, 'none'), { data: {} });
      hooks.reviews({ only: ['request.operation', 'request.name'] });
    }),
    'sends a review of each object of a deleted collection': hooked(async (api, hooks) => {
      for (const name of ['a', 'b'])
        await api.post(configMaps(api), configMap(name, {}, { labels: { l: 'x' } }), quiet);
      await api.post(configMaps(api), configMap('c'), quiet);
      await hooks.validate({ name: 'a' });
      await api.delete(`${configMaps(api)}?labelSelector=l=x`, { propagationPolicy: 'Background' }, quiet);
      const names = hooks.server
        .takeCalls()
        .map(({ review }) => String(review.request.oldObject?.metadata?.name ?? ''));
      api.received('names of the deleted objects', names.toSorted());
    }),
    'sends a review with all fields for an object of a deleted collection': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a', {}, { labels: { l: 'x' } }), quiet);
      await hooks.validate();
      await api.delete(`${configMaps(api)}?labelSelector=l`, undefined, quiet);
      hooks.reviews();
    }),
    'keeps the objects of a collection whose deletion a webhook denies': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a', {}, { labels: { l: 'x' } }), quiet);
      await hooks.validate({ reply: deny() });
      await api.delete(`${configMaps(api)}?labelSelector=l`);
      await api.get(configMaps(api, 'a'), { only: ['metadata.name'] });
    }),
    'does not send reviews of reads': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate({ rules: [rule({ resources: ['configmaps', 'configmaps/*'] })] });
      await api.get(configMaps(api, 'a'), quiet);
      await api.get(configMaps(api), quiet);
      await api.watch(`${configMaps(api)}?watch=1&fieldSelector=metadata.name=a`, {
        until: (events) => events.length > 0,
        only: ['type'],
      });
      hooks.reviews();
      await api.patch(configMaps(api, 'a'), { data: { k: 'w' } }, quiet);
      hooks.reviews({ only: ['request.operation'] });
    }),
    'sends in the review whether the request is a dry run': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      await api.post(`${configMaps(api)}?dryRun=All`, configMap('b'), quiet);
      await api.put(`${configMaps(api, 'a')}?dryRun=All`, configMap('a', { k: 'w' }), quiet);
      await api.patch(`${configMaps(api, 'a')}?dryRun=All`, { data: { k: 'w' } }, quiet);
      await api.delete(`${configMaps(api, 'a')}?dryRun=All`, undefined, quiet);
      await api.delete(configMaps(api, 'a'), { dryRun: ['All'] }, quiet);
      hooks.reviews({ only: content });
    }),
    'sends the options of a create in the review': hooked(async (api, hooks) => {
      await hooks.validate();
      const query = 'fieldManager=me&fieldValidation=Ignore&pretty=true';
      await api.post(`${configMaps(api)}?${query}`, configMap('a'), quiet);
      hooks.reviews({ only: ['request.options', 'request.object.metadata.managedFields.*.manager'] });
    }),
    'sends the options of an update in the review': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.validate();
      await api.put(`${configMaps(api, 'a')}?fieldManager=me&fieldValidation=Warn`, configMap('a', { k: 'w' }), quiet);
      hooks.reviews({ only: ['request.options'] });
    }),
    'does not include unknown fields in the object of a built-in kind': hooked(async (api, hooks) => {
      await hooks.validate();
      await api.post(`${configMaps(api)}?fieldValidation=Ignore`, { ...configMap('a'), unknown: 1 }, quiet);
      hooks.reviews({ only: ['request.object'] });
    }),
    'sends an object of a built-in kind with its defaults': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [rule({ resources: ['pods'], operations: ['CREATE'] })] });
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('p'), quiet);
      hooks.reviews();
    }),
    'sends a review of a create of a custom object': hooked(async (api, hooks) => {
      await install(api, widgets(api));
      await hooks.validate({ rules: [widgetRule(api)] });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), { ...widget, pruned: 1 }, quiet);
      await api.delete(`${widgetsOf(api)}/w`, undefined, quiet);
      hooks.reviews();
    }),
    'sends a custom object with its defaults': hooked(async (api, hooks) => {
      const size = { type: 'integer', default: 3 };
      const spec = { type: 'object', properties: { size }, default: {} };
      const openAPIV3Schema = { type: 'object', properties: { spec } };
      await install(api, widgets(api, { versions: [version('v1', { schema: { openAPIV3Schema } })] }));
      await hooks.mutate({ name: 'first', rules: [widgetRule(api)] });
      await hooks.validate({ name: 'second', rules: [widgetRule(api)] });
      await api.post(widgetsOf(api), { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' } }, quiet);
      hooks.reviews({ only: ['request.object.spec'] });
    }),
    'sends the old and the new custom object of an update': hooked(async (api, hooks) => {
      await install(api, widgets(api));
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), widget, quiet);
      await hooks.validate({ rules: [widgetRule(api)] });
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 2 } }, quiet);
      hooks.reviews();
    }),
    'sends a review of a cluster-scoped custom object': hooked(async (api, hooks) => {
      await install(api, widgets(api, { scope: 'Cluster' }));
      await hooks.validate({ rules: [widgetRule(api)] });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(`/apis/${api.group}/v1/widgets`, widget, quiet);
      hooks.reviews();
    }),
    'sends a v1beta1 review': hooked(async (api, hooks) => {
      await hooks.validate({ admissionReviewVersions: ['v1beta1'] });
      await api.post(configMaps(api), configMap('a'));
      hooks.reviews();
    }),
    'sends a review in the first known version of admissionReviewVersions': hooked(async (api, hooks) => {
      await hooks.validate({ name: 'a', admissionReviewVersions: ['v1beta1', 'v1'] });
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: ['apiVersion'] });
      await hooks.mutate({ name: 'b', admissionReviewVersions: ['v9', 'v1', 'v1beta1'] });
      await api.post(configMaps(api), configMap('b'), quiet);
      hooks.reviews({ only: ['apiVersion'] });
    }),
    'sends the administrator as the user of the request': hooked(async (api, hooks) => {
      await hooks.validate();
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: users });
    }),
    'sends an impersonated user with groups, uid and extra fields as the user of the request': hooked(
      async (api, hooks) => {
        const user = api.name('user');
        const ruleOfRole = { verbs: ['create'], apiGroups: [''], resources: ['configmaps'] };
        await api.post(rbac(api, 'roles'), { metadata: { name: 'r' }, rules: [ruleOfRole] }, quiet);
        const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' };
        const subjects = [{ kind: 'User', name: user }];
        await api.post(rbac(api, 'rolebindings'), { metadata: { name: 'r' }, roleRef, subjects }, quiet);
        await hooks.validate();
        const headers = { 'impersonate-uid': 'u-1', 'impersonate-extra-scopes': 'all', 'impersonate-extra-a%2fb': 'c' };
        await api.eventually(
          'the permission of the user',
          () => api.post(configMaps(api), configMap('a'), as(user, { group: 'devs', headers, quiet: true })),
          ({ status }) => status === 201,
        );
        hooks.reviews({ only: users });
      },
    ),
    'sends a service account as the user of the request': hooked(async (api, hooks) => {
      await hooks.validate();
      const account = `system:serviceaccount:${api.namespace}:default`;
      const headers = { 'impersonate-group': 'system:masters' };
      await api.post(configMaps(api), configMap('a'), as(account, { headers, quiet: true }));
      hooks.reviews({ only: users });
    }),
  },
);
