import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { install, version, widgets, widgetsOf } from './custom-kinds.js';
import { configMap, configMaps, configurations, hooked, type Hooks, rule, widgetRule } from './hooks.js';
import { pod } from './pod-bodies.js';
import { allow, deny, label, mutate } from './webhook-replies.js';
import type { WebhookReply } from './webhook-server.js';

const quiet = { quiet: true };
const labelled = { labels: { l: 'x' } };
const shown = ['request.object.metadata.labels', 'request.object.data'];
const again = { reinvocationPolicy: 'IfNeeded' };

/** Returns a reply that adds the number of its calls to the data. */
function counting(key: string): WebhookReply {
  let calls = 0;
  return (review) => {
    calls += 1;
    return mutate([{ op: 'add', path: `/data/${key}`, value: String(calls) }])(review);
  };
}

/** Creates a ConfigMap, and shows the calls of the webhooks in their order. */
async function called(api: ContractApi, hooks: Hooks): Promise<void> {
  await api.post(configMaps(api), configMap('a', { k: 'v' }, labelled), {
    only: ['metadata.labels', 'data', 'message', 'code'],
  });
  hooks.reviews({ only: shown });
}

/** Returns a reply that writes a ConfigMap to the server before it allows the request. */
function writing(api: ContractApi, name: string): WebhookReply {
  return async (review) => {
    await api.post(configMaps(api), configMap(name), quiet);
    return allow()(review);
  };
}

contract(
  'webhooks-order',
  { webhooks: true },
  {
    'calls the mutating webhooks of a configuration in order': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'z', reply: label('z') }, { name: 'a', reply: label('a') }, { name: 'm' });
      await called(api, hooks);
    }),
    'calls mutating webhooks in the order of the names of their configurations': hooked(async (api, hooks) => {
      await hooks.install('mutating', { name: 'c', hooks: [{ name: 'one', reply: label('one') }] });
      await hooks.install('mutating', { name: 'a', hooks: [{ name: 'two', reply: label('two') }] });
      await hooks.install('mutating', { name: 'b', hooks: [{ name: 'three', reply: label('three') }] });
      await called(api, hooks);
    }),
    'calls all mutating webhooks before validating webhooks': hooked(async (api, hooks) => {
      await hooks.install('validating', { name: 'a', hooks: [{ name: 'check' }] });
      await hooks.install('mutating', { name: 'b', hooks: [{ name: 'change', reply: label('changed') }] });
      await called(api, hooks);
    }),
    'calls all validating webhooks of all configurations with the same object': hooked(async (api, hooks) => {
      await hooks.validate({ name: 'one' }, { name: 'two' });
      await hooks.validate({ name: 'three' });
      await api.post(configMaps(api), configMap('a', {}, labelled), quiet);
      hooks.reviews({ only: shown, sorted: true });
    }),
    'does not call further webhooks after a mutating webhook denies the request': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first', reply: deny({ message: 'no' }) }, { name: 'second' });
      await hooks.validate({ name: 'third' });
      await called(api, hooks);
    }),
    'does not call validating webhooks for an object that is not valid': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first' });
      await hooks.validate({ name: 'second' });
      await api.post(configMaps(api), configMap('a', { 'not valid': 'x' }));
      hooks.reviews({ only: shown });
    }),
    'does not call validating webhooks for a custom object that is not valid': hooked(async (api, hooks) => {
      await install(api, widgets(api));
      await hooks.mutate({ name: 'first', rules: [widgetRule(api)] });
      await hooks.validate({ name: 'second', rules: [widgetRule(api)] });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 0 } };
      await api.post(widgetsOf(api), widget);
      hooks.reviews({ only: ['request.object.spec'] });
    }),
    'calls webhooks before rejecting a create whose name already exists': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ name: 'first' });
      await hooks.validate({ name: 'second' });
      await api.post(configMaps(api), configMap('a'));
      hooks.reviews({ only: shown });
    }),
    'does not call webhooks for a body of another kind': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first' });
      await api.post(configMaps(api), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
      await api.post(configMaps(api), '{', quiet);
      hooks.reviews();
    }),
    'calls mutating webhooks before rejecting an outdated resourceVersion': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ name: 'first' });
      await hooks.validate({ name: 'second' });
      await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }, { resourceVersion: '1' }));
      hooks.reviews({ only: ['request.object.metadata.resourceVersion', 'request.object.data'] });
    }),
    'does not call a webhook again by default': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first' }, { name: 'second', reply: label('second') });
      await called(api, hooks);
    }),
    'calls a webhook again if a later webhook changes the object': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first', ...again }, { name: 'second', reply: label('second') });
      await called(api, hooks);
    }),
    'does not call a webhook again if no later webhook changes the object': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first', reply: label('first'), ...again }, { name: 'second' });
      await called(api, hooks);
    }),
    'does not call the last webhook again because of its own change': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first', reply: label('first') }, { name: 'last', reply: counting('last'), ...again });
      await called(api, hooks);
    }),
    'calls a webhook at most twice': hooked(async (api, hooks) => {
      await hooks.mutate(
        { name: 'first', reply: counting('first'), ...again },
        { name: 'second', reply: counting('second'), ...again },
      );
      await called(api, hooks);
    }),
    'calls webhooks of several configurations again': hooked(async (api, hooks) => {
      await hooks.install('mutating', { name: 'a', hooks: [{ name: 'first', ...again }] });
      await hooks.install('mutating', { name: 'b', hooks: [{ name: 'second', reply: label('second') }] });
      await hooks.install('mutating', { name: 'c', hooks: [{ name: 'third', ...again }] });
      await called(api, hooks);
    }),
    'does not call a webhook again if the webhook does not match after the change': hooked(async (api, hooks) => {
      const objectSelector = { matchExpressions: [{ key: 'second', operator: 'DoesNotExist' }] };
      await hooks.mutate({ name: 'first', objectSelector, ...again }, { name: 'second', reply: label('second') });
      await called(api, hooks);
    }),
    'does not call a webhook in the second round if the webhook did not match in the first round': hooked(
      async (api, hooks) => {
        await hooks.mutate(
          { name: 'first', objectSelector: { matchLabels: { second: 'yes' } }, ...again },
          { name: 'second', reply: label('second') },
          { name: 'third', ...again },
        );
        await called(api, hooks);
      },
    ),
    'calls a webhook again after a patch that adds and removes a field': hooked(async (api, hooks) => {
      const reply = mutate([
        { op: 'add', path: '/data/more', value: 'x' },
        { op: 'remove', path: '/data/more' },
      ]);
      await hooks.mutate({ name: 'first', ...again }, { name: 'second', reply });
      await called(api, hooks);
    }),
    'calls a webhook again after the first patch of a built-in object, even without a change': hooked(
      async (api, hooks) => {
        const reply = mutate([{ op: 'replace', path: '/data/k', value: 'v' }]);
        await hooks.mutate({ name: 'first', ...again }, { name: 'second', reply });
        await called(api, hooks);
      },
    ),
    'calls a webhook again after the second patch of a built-in object only if it changes the object': hooked(
      async (api, hooks) => {
        const reply = mutate([{ op: 'replace', path: '/data/k', value: 'v' }]);
        await hooks.mutate({ name: 'first', reply }, { name: 'second', ...again }, { name: 'third', reply });
        await called(api, hooks);
      },
    ),
    'does not call a webhook again after a patch of a custom object without a change': hooked(async (api, hooks) => {
      await install(api, widgets(api));
      const rules = [widgetRule(api)];
      const reply = mutate([{ op: 'replace', path: '/spec/size', value: 1 }]);
      await hooks.mutate({ name: 'first', rules, ...again }, { name: 'second', rules, reply });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), widget, quiet);
      hooks.reviews({ only: ['request.object.spec'] });
    }),
    'rejects a request that a webhook denies in the second round': hooked(async (api, hooks) => {
      const reply: WebhookReply = (review) =>
        (review.request.object.metadata.labels.second === undefined ? allow() : deny({ message: 'second round' }))(
          review,
        );
      await hooks.mutate({ name: 'first', reply, ...again }, { name: 'second', reply: label('second') });
      await called(api, hooks);
    }),
    'calls a webhook again during an update': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a', {}, labelled), quiet);
      await hooks.mutate({ name: 'first', ...again }, { name: 'second', reply: label('second') });
      await api.patch(configMaps(api, 'a'), { data: { k: 'w' } }, quiet);
      hooks.reviews({ only: [...shown, 'request.operation'] });
    }),
    'uses a new uid for each call of a webhook': hooked(async (api, hooks) => {
      await hooks.mutate({ name: 'first', ...again }, { name: 'second', reply: label('second') });
      await hooks.validate({ name: 'third' }, { name: 'fourth' });
      await api.post(configMaps(api), configMap('a', {}, labelled), quiet);
      const uids = hooks.server.takeCalls().map(({ review }) => String(review.request.uid));
      api.received('number of calls and number of uids', [uids.length, new Set(uids).size]);
    }),
    'runs the plugins that set fields of a Pod again after a webhook adds a container': hooked(async (api, hooks) => {
      const container = { name: 'extra', image: 'sidecar' };
      const reply = mutate([{ op: 'add', path: '/spec/containers/-', value: container }]);
      await hooks.mutate({ reply, rules: [rule({ resources: ['pods'], operations: ['CREATE'] })] });
      const token = { automountServiceAccountToken: true };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('p', token), {
        only: ['spec.containers.*.name', 'spec.containers.*.volumeMounts.*.mountPath', 'spec.serviceAccountName'],
      });
    }),
    'calls webhooks after the plugins that set fields of a Pod': hooked(async (api, hooks) => {
      await hooks.mutate({ rules: [rule({ resources: ['pods'], operations: ['CREATE'] })] });
      const token = { automountServiceAccountToken: true };
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('p', token), quiet);
      hooks.reviews({
        only: [
          'request.object.spec.serviceAccountName',
          'request.object.spec.tolerations',
          'request.object.spec.containers.*.volumeMounts.*.mountPath',
        ],
      });
    }),
    'allows a webhook to write other objects to the server': hooked(async (api, hooks) => {
      const rules = [rule({ resources: ['secrets'] })];
      await hooks.mutate({ name: 'first', rules, reply: writing(api, 'by-mutating') });
      await hooks.validate({ name: 'second', rules, reply: writing(api, 'by-validating') });
      await api.post(
        `/api/v1/namespaces/${api.namespace}/secrets`,
        { metadata: { name: 's' } },
        { only: ['metadata.name'] },
      );
      await api.get(`${configMaps(api)}?fieldSelector=metadata.name!=kube-root-ca.crt`, {
        only: ['items.*.metadata.name'],
      });
    }),
    'returns a conflict if a webhook writes the object during an update with a resourceVersion': hooked(
      async (api, hooks) => {
        const { body } = await api.post(configMaps(api), configMap('a'), quiet);
        let isFirst = true;
        const reply: WebhookReply = async (review) => {
          if (isFirst) {
            isFirst = false;
            await api.patch(configMaps(api, 'a'), { data: { other: 'x' } }, quiet);
          }
          return allow()(review);
        };
        await hooks.validate({ reply });
        await api.put(configMaps(api, 'a'), { ...body, data: { k: 'w' } });
        hooks.reviews({ only: ['request.object.data', 'request.oldObject.data'] });
      },
    ),
    'repeats an update without a resourceVersion if a webhook meanwhile writes the object': hooked(
      async (api, hooks) => {
        await api.post(configMaps(api), configMap('a'), quiet);
        let isFirst = true;
        const reply: WebhookReply = async (review) => {
          if (isFirst) {
            isFirst = false;
            await api.patch(configMaps(api, 'a'), { data: { other: 'x' } }, quiet);
          }
          return allow()(review);
        };
        await hooks.validate({ reply });
        await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }), { only: ['data', 'message'] });
        hooks.reviews({ only: ['request.object.data', 'request.oldObject.data'] });
      },
    ),
    'repeats a patch if a webhook meanwhile writes the object': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      let isFirst = true;
      const reply: WebhookReply = async (review) => {
        if (isFirst) {
          isFirst = false;
          await api.patch(configMaps(api, 'a'), { data: { other: 'x' } }, quiet);
        }
        return mutate([{ op: 'add', path: '/data/hook', value: 'yes' }])(review);
      };
      await hooks.mutate({ reply });
      await api.patch(configMaps(api, 'a'), { data: { k: 'w' } }, { only: ['data', 'message'] });
      hooks.reviews({ only: ['request.object.data', 'request.oldObject.data'] });
    }),
    'returns 404 for an update if a webhook deletes the object': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      const reply: WebhookReply = async (review) => {
        if (review.request.operation === 'UPDATE') await api.delete(configMaps(api, 'a'), undefined, quiet);
        return allow()(review);
      };
      await hooks.validate({ reply });
      await api.patch(configMaps(api, 'a'), { data: { k: 'w' } });
      hooks.reviews({ only: ['request.operation', 'request.object.data'] });
    }),
    'rejects a create if a webhook creates the same object': hooked(async (api, hooks) => {
      let isFirst = true;
      const reply: WebhookReply = async (review) => {
        if (isFirst) {
          isFirst = false;
          await api.post(configMaps(api), configMap('a', { by: 'webhook' }), quiet);
        }
        return allow()(review);
      };
      await hooks.mutate({ reply });
      await api.post(configMaps(api), configMap('a'));
    }),
    'does not call webhooks for webhook configurations': hooked(async (api, hooks) => {
      const rules = [rule({ apiGroups: ['admissionregistration.k8s.io'], resources: ['*'] })];
      const objectSelector = { matchLabels: { own: api.group } };
      await hooks.mutate({ name: 'first', rules, objectSelector, reply: deny() });
      await hooks.validate({ name: 'second', rules, objectSelector, reply: deny() });
      const metadata = { name: api.name('other'), labels: { own: api.group } };
      for (const kind of ['validating', 'mutating'] as const) {
        await api.post(configurations(kind), { metadata, webhooks: [] });
        await api.patch(`${configurations(kind)}/${metadata.name}`, { metadata: { annotations: { a: 'b' } } }, quiet);
        await api.delete(`${configurations(kind)}/${metadata.name}`, undefined, { only: ['status'] });
      }
      hooks.reviews();
    }),
    'calls webhooks with the requested version of a definition': hooked(async (api, hooks) => {
      await install(api, widgets(api, { versions: [version('v1'), version('v2', { storage: false })] }));
      await hooks.validate(
        { name: 'one', matchPolicy: 'Exact', rules: [widgetRule(api)] },
        { name: 'two', matchPolicy: 'Exact', rules: [widgetRule(api, { apiVersions: ['v2'] })] },
      );
      const widget = { kind: 'Widget', spec: { size: 1 } };
      await api.post(widgetsOf(api), { ...widget, apiVersion: `${api.group}/v1`, metadata: { name: 'a' } }, quiet);
      await api.post(
        widgetsOf(api, 'v2'),
        { ...widget, apiVersion: `${api.group}/v2`, metadata: { name: 'b' } },
        quiet,
      );
      hooks.reviews({ only: ['request.name', 'request.kind'] });
    }),
  },
);
