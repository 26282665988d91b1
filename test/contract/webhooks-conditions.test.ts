import { clusterRoleFor, as, decided } from './acting.js';
import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { install, version, widgets, widgetsOf } from './custom-kinds.js';
import { configMap, configMaps, hooked, type Hooks, rule, widgetRule } from './hooks.js';
import { label, mutate } from './webhook-replies.js';

const quiet = { quiet: true };
const target = ['request.operation', 'request.name'];
const shown = { only: ['kind', 'status', 'message', 'reason', 'details', 'code'] };

const conditions = (...expressions: readonly string[]): readonly object[] =>
  expressions.map((expression, index) => ({ name: `condition-${index}`, expression }));

/** Creates, updates and deletes a ConfigMap, and shows the requests for which the conditions are true. */
async function matched(api: ContractApi, hooks: Hooks, ...expressions: readonly string[]): Promise<void> {
  await hooks.validate({ matchConditions: conditions(...expressions) });
  await api.post(configMaps(api), configMap('a', { k: 'v' }, { labels: { l: 'x' } }), shown);
  await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }), shown);
  await api.delete(configMaps(api, 'a'), undefined, shown);
  hooks.reviews({ only: target });
}

/** Returns an expression with a loop over ten numbers for each name of a variable. */
const nested = (variables: string): string =>
  [...variables].reduce((inner, name) => `[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(${name}, ${inner})`, 'true');

const matches: Readonly<Record<string, readonly string[]>> = {
  'calls a webhook whose condition is true': ['true'],
  'does not call a webhook whose condition is false': ['false'],
  'does not call a webhook if one of several conditions is false': ['true', "request.operation == 'CREATE'", 'true'],
  'evaluates a condition on the operation of the request': ["request.operation in ['CREATE', 'DELETE']"],
  'evaluates a condition on the new object': ["object != null && object.data.k == 'w'"],
  'evaluates a condition on the old object': ["oldObject != null && oldObject.data.k == 'w'"],
  'evaluates the old object of a create as null': ['oldObject == null'],
  'evaluates the new object of a deletion as null': ['object == null'],
  'evaluates a condition on the metadata of the object': [
    "has(object.metadata.labels) && object.metadata.labels['l'] == 'x'",
  ],
  'evaluates conditions on the kind and the resource of the request': [
    "request.kind.kind == 'ConfigMap' && request.kind.group == '' && request.kind.version == 'v1'",
    "request.resource.resource == 'configmaps' && request.requestResource.resource == 'configmaps'",
    "request.requestKind.kind == 'ConfigMap'",
  ],
  'evaluates a condition on the name and the namespace of the request': [
    "request.name == 'a' && request.namespace.startsWith('case-')",
  ],
  'evaluates a condition on the user of the request': [
    "request.userInfo.username == 'kubernetes-admin' && 'system:masters' in request.userInfo.groups",
  ],
  'evaluates a condition on the options of the request': [
    "request.operation == 'DELETE' ? request.options.kind == 'DeleteOptions' : has(request.options.fieldManager) == false",
  ],
  'evaluates a condition on dryRun of the request': ['request.dryRun == false'],
  'rejects the request if a condition reads the absent subresource': [
    "request.subResource == '' && request.requestSubResource == ''",
  ],
  'evaluates a condition with functions of the Kubernetes CEL library': [
    "quantity('2Gi').isGreaterThan(quantity('1Gi')) && isURL('a') == false",
  ],
  'evaluates a condition with a macro': ["['a', 'b'].exists(name, name == request.name)"],
  'evaluates a condition with an authorizer check of a resource': [
    "authorizer.group('').resource('configmaps').namespace(request.namespace).check('delete').allowed()",
  ],
  'evaluates a condition with an authorizer check of the requested resource': [
    "authorizer.requestResource.check('custom').allowed()",
  ],
  'evaluates a condition with an authorizer check of a path': ["authorizer.path('/healthz').check('get').allowed()"],
  'evaluates a condition with an authorizer check of a service account': [
    "!authorizer.serviceAccount(request.namespace, 'default').group('').resource('secrets').check('list').allowed()",
  ],
  'rejects the request if a condition fails': ["object.data.missing == 'x'"],
  'does not call a webhook if one condition is false and another condition fails': [
    "object.data.missing == 'x'",
    'false',
  ],
  'rejects the request with the errors of several conditions': ["object.data.a == 'x'", "object.data.b == 'x'"],
  'evaluates namespaceObject as null': ['namespaceObject == null'],
  'rejects the request if a condition costs too much': [nested('abcdefgh')],
  'rejects the request if a condition divides by zero': ['1 / (size(request.name) - 1) == 1'],
};

contract(
  'webhooks-conditions',
  { webhooks: true },
  {
    ...Object.fromEntries(
      Object.entries(matches).map(([title, expressions]) => [
        title,
        hooked((api, hooks) => matched(api, hooks, ...expressions)),
      ]),
    ),
    'does not call a validating webhook with failurePolicy Ignore if a condition fails': hooked(async (api, hooks) => {
      const matchConditions = conditions("object.data.missing == 'x'");
      await hooks.validate({ matchConditions, failurePolicy: 'Ignore' });
      await api.post(configMaps(api), configMap('a'), shown);
      hooks.reviews({ only: target });
    }),
    'rejects a request if a condition of a mutating webhook fails': hooked(async (api, hooks) => {
      await hooks.mutate({ matchConditions: conditions("object.data.missing == 'x'") });
      await api.post(configMaps(api), configMap('a'), shown);
      await hooks.mutate({ name: 'other', matchConditions: conditions('false') });
      await api.post(configMaps(api), configMap('b'), shown);
      hooks.reviews({ only: target });
    }),
    'does not call a mutating webhook with failurePolicy Ignore if a condition fails': hooked(async (api, hooks) => {
      const matchConditions = conditions("object.data.missing == 'x'");
      await hooks.mutate({ matchConditions, failurePolicy: 'Ignore' }, { name: 'next' });
      await api.post(configMaps(api), configMap('a'), shown);
      hooks.reviews({ only: target });
    }),
    'does not evaluate conditions if no rule matches': hooked(async (api, hooks) => {
      await hooks.validate({
        rules: [rule({ resources: ['secrets'] })],
        matchConditions: conditions('object.none == 1'),
      });
      await api.post(configMaps(api), configMap('a'), shown);
    }),
    'evaluates conditions on the object that earlier webhooks have changed': hooked(async (api, hooks) => {
      const matchConditions = conditions("'a' in object.metadata.labels");
      await hooks.mutate({ name: 'first', reply: label('a') }, { name: 'second', matchConditions });
      await hooks.validate({ name: 'third', matchConditions });
      await api.post(configMaps(api), configMap('a', {}, { labels: { l: 'x' } }), quiet);
      hooks.reviews({ only: [...target, 'request.object.metadata.labels'] });
    }),
    'evaluates authorizer checks with the user of the request': hooked(async (api, hooks) => {
      const user = api.name('user');
      const rules = [{ verbs: ['create', 'breakglass'], apiGroups: [''], resources: ['configmaps'] }];
      await clusterRoleFor(api, { rules, subjects: [{ kind: 'User', name: user }] });
      for (const verb of ['create', 'breakglass']) {
        await decided(api, { user, verb, resource: 'configmaps', namespace: api.namespace });
      }
      await hooks.validate({
        name: 'may',
        matchConditions: conditions("authorizer.requestResource.check('breakglass').allowed()"),
      });
      await hooks.validate({
        name: 'may-not',
        matchConditions: conditions("!authorizer.requestResource.check('other').allowed()"),
      });
      await api.post(configMaps(api), configMap('a'), as(user, quiet));
      hooks.reviews({ only: target, sorted: true });
    }),
    'evaluates a condition on the reason of an authorizer check': hooked(async (api, hooks) => {
      await hooks.validate({
        matchConditions: conditions(
          "authorizer.requestResource.check('get').reason() == '' && !authorizer.requestResource.check('get').errored()",
        ),
      });
      await api.post(configMaps(api), configMap('a'), shown);
      hooks.reviews({ only: target });
    }),
    'evaluates conditions on custom objects': hooked(async (api, hooks) => {
      await install(api, widgets(api));
      const rules = [widgetRule(api)];
      const both = "object.spec.size > 2 && object.kind == 'Widget' && request.kind.group.endsWith('.example.com')";
      await hooks.validate({ rules, matchConditions: conditions(both, '!has(object.spec.colour)') });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget' };
      await api.post(widgetsOf(api), { ...widget, metadata: { name: 'a' }, spec: { size: 2 } }, shown);
      await api.post(widgetsOf(api), { ...widget, metadata: { name: 'b' }, spec: { size: 3 } }, shown);
      await api.post(widgetsOf(api), { ...widget, metadata: { name: 'c' }, spec: { size: 3, colour: 'red' } }, shown);
      hooks.reviews({ only: target });
    }),
    'evaluates conditions on the version that the webhook receives': hooked(async (api, hooks) => {
      await install(api, widgets(api, { versions: [version('v1'), version('v2', { storage: false })] }));
      const isFirst =
        "object.apiVersion.endsWith('/v1') && request.kind.version == 'v1' && request.requestKind.version == 'v2'";
      await hooks.validate({ rules: [widgetRule(api)], matchConditions: conditions(isFirst) });
      const widget = { apiVersion: `${api.group}/v2`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 2 } };
      await api.post(widgetsOf(api, 'v2'), widget, shown);
      hooks.reviews({ only: [...target, 'request.kind.version'] });
    }),
    'evaluates conditions again after the object changes': hooked(async (api, hooks) => {
      const add = mutate([{ op: 'add', path: '/data/done', value: 'yes' }]);
      await hooks.mutate(
        { name: 'first', matchConditions: conditions("!('done' in object.data)"), reinvocationPolicy: 'IfNeeded' },
        { name: 'second', reply: add },
      );
      await api.post(configMaps(api), configMap('a'), quiet);
      hooks.reviews({ only: target });
    }),
  },
);
