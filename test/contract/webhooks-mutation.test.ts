import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { install, statusAndScale, version, widgets, widgetsOf } from './custom-kinds.js';
import { configMap, configMaps, hooked, type Hooks, rule, widgetRule } from './hooks.js';
import { pod } from './pod-bodies.js';
import { allow, base64, mutate } from './webhook-replies.js';
import type { WebhookReply } from './webhook-server.js';

const quiet = { quiet: true };
const apply = 'application/apply-patch+yaml';
const labels = { labels: { l: 'x' } };

/** Creates a ConfigMap that a webhook changes, and reads it. */
async function created(api: ContractApi, hooks: Hooks, reply: WebhookReply): Promise<void> {
  await hooks.mutate({ reply });
  await api.post(configMaps(api), configMap('a', { k: 'v' }, labels));
  await api.get(configMaps(api, 'a'));
}

/** Creates a Widget that a webhook changes, and shows the object that a validating webhook receives. */
async function createdWidget(api: ContractApi, hooks: Hooks, operations: readonly object[]): Promise<void> {
  await install(api, widgets(api, { versions: [version('v1', { schema: schemaWithDefault })] }));
  await hooks.mutate({ name: 'first', rules: [widgetRule(api)], reply: mutate(operations) });
  await hooks.validate({ name: 'second', rules: [widgetRule(api)] });
  const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
  await api.post(widgetsOf(api), widget);
  hooks.reviews({ only: ['request.object'] });
}

const schemaWithDefault = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        required: ['size'],
        properties: {
          size: { type: 'integer', minimum: 1 },
          colour: { type: 'string', default: 'red' },
          parts: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', default: 7 } } } },
        },
      },
    },
  },
};

/** Replies of a mutating webhook for a ConfigMap with data and one label. */
const replies: Readonly<Record<string, WebhookReply>> = {
  'applies a patch that adds a field': mutate([{ op: 'add', path: '/data/more', value: 'x' }]),
  'applies a patch that replaces a field': mutate([{ op: 'replace', path: '/data/k', value: 'w' }]),
  'applies a patch that removes a field': mutate([{ op: 'remove', path: '/data/k' }]),
  'applies a patch that removes a map': mutate([{ op: 'remove', path: '/data' }]),
  'applies a patch that moves and copies fields': mutate([
    { op: 'copy', from: '/data/k', path: '/data/copy' },
    { op: 'move', from: '/data/k', path: '/data/moved' },
  ]),
  'applies a patch whose test succeeds': mutate([
    { op: 'test', path: '/data/k', value: 'v' },
    { op: 'add', path: '/data/more', value: 'x' },
  ]),
  'rejects a patch whose test fails': mutate([{ op: 'test', path: '/data/k', value: 'other' }]),
  'rejects a patch that removes an absent field': mutate([{ op: 'remove', path: '/data/none' }]),
  'adds a field if a patch replaces an absent field': mutate([{ op: 'replace', path: '/data/none', value: 'x' }]),
  'rejects a patch that adds a field to an absent map': mutate([
    { op: 'add', path: '/metadata/annotations/a', value: 'x' },
  ]),
  'rejects a patch with an unknown operation': mutate([{ op: 'merge', path: '/data', value: {} }]),
  'rejects a patch operation without a path': mutate([{ op: 'add', value: {} }]),
  'rejects a patch whose path does not start with a slash': mutate([{ op: 'add', path: 'data', value: {} }]),
  'ignores a patch without operations': mutate([]),
  'accepts a patch that changes nothing': mutate([{ op: 'replace', path: '/data/k', value: 'v' }]),
  'applies a patch that changes labels and annotations': mutate([
    { op: 'add', path: '/metadata/labels/more', value: 'y' },
    { op: 'add', path: '/metadata/annotations', value: { a: 'b' } },
  ]),
  'decodes ~1 in the path of a patch as a slash': mutate([
    { op: 'add', path: '/metadata/labels/example.com~1a', value: 'y' },
  ]),
  'rejects a patch that sets a field of the wrong type': mutate([{ op: 'add', path: '/data/n', value: 5 }]),
  'rejects a patch that replaces a map with a string': mutate([{ op: 'replace', path: '/data', value: 'text' }]),
  'rejects a patch that sets a label of the wrong type': mutate([{ op: 'add', path: '/metadata/labels/n', value: 5 }]),
  'rejects a patch that makes the object invalid': mutate([
    { op: 'add', path: '/metadata/labels/n', value: 'not valid' },
  ]),
  'drops unknown fields that a patch adds to a built-in kind': mutate([
    { op: 'add', path: '/unknown', value: { a: 1 } },
  ]),
  'applies a patch that changes the name of a new object': mutate([
    { op: 'replace', path: '/metadata/name', value: 'b' },
  ]),
  'rejects a patch that removes the name': mutate([{ op: 'remove', path: '/metadata/name' }]),
  'rejects a patch that changes the namespace': mutate([
    { op: 'replace', path: '/metadata/namespace', value: 'default' },
  ]),
  'rejects a patch that changes the kind': mutate([
    { op: 'replace', path: '/kind', value: 'Secret' },
    { op: 'remove', path: '/data' },
  ]),
  'rejects a patch that changes the apiVersion': mutate([{ op: 'replace', path: '/apiVersion', value: 'v2' }]),
  'accepts a patch that removes the kind': mutate([{ op: 'remove', path: '/kind' }]),
  'applies a patch that replaces the whole object': mutate([
    { op: 'replace', path: '', value: configMap('a', { whole: 'yes' }) },
  ]),
  'rejects a patch that replaces the object with null': mutate([{ op: 'replace', path: '', value: null }]),
  'applies a patch that sets the uid': mutate([{ op: 'add', path: '/metadata/uid', value: 'own' }]),
  'rejects a patch that sets the resourceVersion of a new object': mutate([
    { op: 'add', path: '/metadata/resourceVersion', value: '5' },
  ]),
  'applies a patch that sets the generation and the creation time': mutate([
    { op: 'add', path: '/metadata/generation', value: 9 },
    { op: 'add', path: '/metadata/creationTimestamp', value: '2020-01-01T00:00:00Z' },
  ]),
  'applies a patch that sets a deletion time': mutate([
    { op: 'add', path: '/metadata/deletionTimestamp', value: '2020-01-01T00:00:00Z' },
  ]),
  'applies a patch that adds a finalizer': mutate([
    { op: 'add', path: '/metadata/finalizers', value: ['example.com/f'] },
  ]),
  'rejects a patch that adds an invalid owner reference': mutate([
    { op: 'add', path: '/metadata/ownerReferences', value: [{ name: 'x' }] },
  ]),
  'applies a patch that removes managed fields': mutate([{ op: 'remove', path: '/metadata/managedFields/0' }]),
  'restores managed fields that a patch makes invalid': mutate([
    { op: 'replace', path: '/metadata/managedFields', value: [{ manager: 'x', operation: 'Odd' }] },
  ]),
  'restores managed fields that a patch empties': mutate([
    { op: 'replace', path: '/metadata/managedFields', value: [{}] },
    { op: 'add', path: '/data/more', value: 'x' },
  ]),
  'rejects a patch without a patchType': allow({ patch: base64('[]') }),
  'rejects a response with a patchType and without a patch': allow({ patchType: 'JSONPatch' }),
  'rejects a patch with an empty patchType': mutate([{ op: 'remove', path: '/data' }], { patchType: '' }),
  'rejects a patch with an unknown patchType': mutate([{ op: 'remove', path: '/data' }], { patchType: 'MergePatch' }),
  'rejects a patch that is not base64': allow({ patchType: 'JSONPatch', patch: '%%%' }),
  'rejects a patch that is not JSON': allow({ patchType: 'JSONPatch', patch: base64('[{') }),
  'rejects a patch that is not a list': allow({ patchType: 'JSONPatch', patch: base64('{"data":null}') }),
};

contract(
  'webhooks-mutation',
  { webhooks: true },
  {
    ...Object.fromEntries(
      Object.entries(replies).map(([title, reply]) => [title, hooked((api, hooks) => created(api, hooks, reply))]),
    ),
    'applies the patch of a webhook to an updated object': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ reply: mutate([{ op: 'add', path: '/data/more', value: 'x' }]) });
      await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }));
      await api.patch(configMaps(api, 'a'), { data: { k: 'x', more: null } });
    }),
    'applies the patch of a webhook to an object that the request does not change': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ reply: mutate([{ op: 'add', path: '/data/more', value: 'x' }]) });
      await api.patch(configMaps(api, 'a'), { data: { k: 'v' } });
    }),
    'does not write an object if a webhook reverts the change of the request': hooked(async (api, hooks) => {
      const { body } = await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ reply: mutate([{ op: 'replace', path: '/data/k', value: 'v' }]) });
      const { body: after } = await api.patch(configMaps(api, 'a'), { data: { k: 'w' } });
      api.received(
        'whether the resourceVersion is unchanged',
        after.metadata.resourceVersion === body.metadata.resourceVersion,
      );
    }),
    'assigns the changes of a webhook during an apply to the field manager of the apply': hooked(async (api, hooks) => {
      await hooks.mutate({ reply: mutate([{ op: 'add', path: '/data/more', value: 'x' }]) });
      await api.patch(`${configMaps(api, 'a')}?fieldManager=me`, configMap('a'), { type: apply });
      await api.patch(`${configMaps(api, 'a')}?fieldManager=me`, configMap('a', { k: 'w' }), { type: apply });
    }),
    'applies the patch of a webhook to fields that an apply sets': hooked(async (api, hooks) => {
      await hooks.mutate({ reply: mutate([{ op: 'replace', path: '/data/k', value: 'x' }]) });
      await api.patch(`${configMaps(api, 'a')}?fieldManager=me`, configMap('a'), { type: apply });
    }),
    'rejects an update whose name a webhook changes': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ reply: mutate([{ op: 'replace', path: '/metadata/name', value: 'b' }]) });
      await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }));
    }),
    'rejects an update whose resourceVersion a webhook changes': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ reply: mutate([{ op: 'add', path: '/metadata/resourceVersion', value: '1' }]) });
      await api.put(configMaps(api, 'a'), configMap('a', { k: 'w' }));
    }),
    'rejects an update of an immutable field by a webhook': hooked(async (api, hooks) => {
      await api.post(configMaps(api), { ...configMap('a'), immutable: true }, quiet);
      await hooks.mutate({ reply: mutate([{ op: 'replace', path: '/data/k', value: 'w' }]) });
      await api.patch(configMaps(api, 'a'), { metadata: { labels: { l: 'x' } } });
    }),
    'rejects a patch that a webhook returns for a deletion': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ reply: mutate([{ op: 'remove', path: '/data' }]) });
      await api.delete(configMaps(api, 'a'));
      await api.get(configMaps(api, 'a'), { only: ['metadata.name'] });
    }),
    'ignores an empty patch that a webhook returns for a deletion': hooked(async (api, hooks) => {
      await api.post(configMaps(api), configMap('a'), quiet);
      await hooks.mutate({ reply: mutate([]) });
      await api.delete(configMaps(api, 'a'));
    }),
    'applies the patch of a webhook in a dry run': hooked(async (api, hooks) => {
      await hooks.mutate({ reply: mutate([{ op: 'add', path: '/data/more', value: 'x' }]) });
      await api.post(`${configMaps(api)}?dryRun=All`, configMap('a'));
      await api.get(configMaps(api, 'a'));
    }),
    'accepts a patch of a v1beta1 response without a type and a uid': hooked(async (api, hooks) => {
      const patch = base64(JSON.stringify([{ op: 'add', path: '/data/more', value: 'x' }]));
      const reply: WebhookReply = () => ({ body: { response: { allowed: true, patch } } });
      await hooks.mutate({ admissionReviewVersions: ['v1beta1'], reply });
      await api.post(configMaps(api), configMap('a'));
    }),
    'ignores the patchType in a v1beta1 response': hooked(async (api, hooks) => {
      const reply = mutate([{ op: 'add', path: '/data/more', value: 'x' }], { patchType: 'Odd' });
      await hooks.mutate({ admissionReviewVersions: ['v1beta1'], reply });
      await api.post(configMaps(api), configMap('a'));
    }),
    'does not apply the patch of a response that denies the request': hooked(async (api, hooks) => {
      await hooks.mutate({ reply: mutate([{ op: 'remove', path: '/data' }], { allowed: false }) });
      await api.post(configMaps(api), configMap('a'));
    }),
    'rejects a patch of a validating webhook': hooked(async (api, hooks) => {
      await hooks.validate({ reply: mutate([{ op: 'remove', path: '/data' }]) });
      await api.post(configMaps(api), configMap('a'));
    }),
    'rejects a patch type of a validating webhook': hooked(async (api, hooks) => {
      await hooks.validate({ reply: allow({ patchType: 'JSONPatch' }) });
      await api.post(configMaps(api), configMap('a'));
    }),
    'rejects a patch of a validating webhook without a type': hooked(async (api, hooks) => {
      await hooks.validate({ reply: allow({ patch: base64('[]') }) });
      await api.post(configMaps(api), configMap('a'));
    }),
    'ignores a patch of a validating webhook in a v1beta1 response': hooked(async (api, hooks) => {
      const reply = mutate([{ op: 'remove', path: '/data' }]);
      await hooks.validate({ admissionReviewVersions: ['v1beta1'], reply });
      await api.post(configMaps(api), configMap('a'));
    }),
    'sets the defaults of a built-in kind after the patch of a webhook': hooked(async (api, hooks) => {
      const container = { name: 'extra', image: 'sidecar', ports: [{ containerPort: 80 }] };
      const reply = mutate([{ op: 'add', path: '/spec/containers/-', value: container }]);
      await hooks.mutate({ reply, rules: [rule({ resources: ['pods'], operations: ['CREATE'] })] });
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('p'), { only: ['spec.containers'] });
    }),
    'validates an object of a built-in kind after the patch of a webhook': hooked(async (api, hooks) => {
      const reply = mutate([{ op: 'remove', path: '/spec/containers/0/image' }]);
      await hooks.mutate({ reply, rules: [rule({ resources: ['pods'], operations: ['CREATE'] })] });
      await api.post(`/api/v1/namespaces/${api.namespace}/pods`, pod('p'));
    }),
    'prunes unknown fields that the patch of a webhook adds to a custom object': hooked(async (api, hooks) => {
      await createdWidget(api, hooks, [{ op: 'add', path: '/spec/unknown', value: 5 }]);
    }),
    'sets the defaults of a custom object after the patch of a webhook': hooked(async (api, hooks) => {
      await createdWidget(api, hooks, [
        { op: 'remove', path: '/spec/colour' },
        { op: 'add', path: '/spec/parts', value: [{}] },
      ]);
    }),
    'rejects a custom object if the patch of a webhook removes a required field': hooked(async (api, hooks) => {
      await createdWidget(api, hooks, [{ op: 'remove', path: '/spec/size' }]);
    }),
    'rejects a custom object if the patch of a webhook sets a field of the wrong type': hooked(async (api, hooks) => {
      await createdWidget(api, hooks, [{ op: 'replace', path: '/spec/size', value: 'large' }]);
    }),
    'rejects a custom object whose kind a webhook changes': hooked(async (api, hooks) => {
      await createdWidget(api, hooks, [{ op: 'replace', path: '/kind', value: 'Gadget' }]);
    }),
    'rejects a custom object whose apiVersion a webhook changes': hooked(async (api, hooks) => {
      await createdWidget(api, hooks, [{ op: 'replace', path: '/apiVersion', value: 'example.org/v1' }]);
    }),
    'drops labels of the wrong type that the patch of a webhook adds to a custom object': hooked(async (api, hooks) => {
      await createdWidget(api, hooks, [{ op: 'add', path: '/metadata/labels', value: 'text' }]);
    }),
    'ignores changes of the status by a webhook if the kind has a status subresource': hooked(async (api, hooks) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      const reply = mutate([{ op: 'add', path: '/status', value: { size: 9 } }]);
      await hooks.mutate({ rules: [widgetRule(api)], reply });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), widget);
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 2 } });
    }),
    'increments the generation if only the webhook, and not the request, changes the spec': hooked(
      async (api, hooks) => {
        await install(api, widgets(api));
        const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
        await api.post(widgetsOf(api), widget, quiet);
        const reply = mutate([{ op: 'add', path: '/spec/colour', value: 'blue' }]);
        await hooks.mutate({ rules: [widgetRule(api)], reply });
        await api.patch(`${widgetsOf(api)}/w`, { metadata: { labels: { l: 'x' } } });
      },
    ),
    'applies the patch of a webhook that sets the name of an object with generateName': hooked(async (api, hooks) => {
      await hooks.mutate({ reply: mutate([{ op: 'add', path: '/metadata/name', value: 'chosen' }]) });
      await api.post(
        configMaps(api),
        { metadata: { generateName: 'made-' } },
        { only: ['metadata.name', 'metadata.generateName', 'message'] },
      );
    }),
  },
);
