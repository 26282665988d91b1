import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { configurations } from './hooks.js';
import { base64 } from './webhook-replies.js';

const dry = '?dryRun=All';
const brief = { only: ['message', 'code', 'details', 'webhooks'] };
const kinds = ['validating', 'mutating'] as const;

const rule = { operations: ['CREATE'], apiGroups: ['g.example.com'], apiVersions: ['v1'], resources: ['widgets'] };

/** Returns a valid webhook with other fields. */
const webhook = (more: object = {}): object => ({
  name: 'a.example.com',
  clientConfig: { url: 'https://hook.example.com/check' },
  rules: [rule],
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  ...more,
});

/** Creates a configuration of each kind in a dry run. */
async function tried(api: ContractApi, ...webhooks: readonly object[]): Promise<void> {
  for (const kind of kinds) {
    await api.post(configurations(kind) + dry, { metadata: { name: api.name('hooks') }, webhooks }, brief);
  }
}

const condition = (expression: unknown, name = 'c'): object => ({ matchConditions: [{ name, expression }] });
const rules = (more: object): object => ({ rules: [{ ...rule, ...more }] });
const service = (more: object): object => ({ clientConfig: { service: { name: 's', namespace: 'n', ...more } } });
const url = (text: string): object => ({ clientConfig: { url: text } });

/** Fields of a webhook, most of them not valid. */
const fields: Readonly<Record<string, object>> = {
  'rejects a webhook without a name': { name: '' },
  'rejects a name of two labels': { name: 'example.com' },
  'rejects a name with uppercase letters': { name: 'A.example.com' },
  'rejects a webhook without a clientConfig': { clientConfig: undefined },
  'rejects a clientConfig without url and service': { clientConfig: {} },
  'rejects a clientConfig with url and service': {
    clientConfig: { url: 'https://a', service: { name: 's', namespace: 'n' } },
  },
  'rejects a url with a query': url('https://a/b?c=d'),
  'rejects a url with a fragment': url('https://a/b#c'),
  'rejects a url with a user': url('https://u:p@a/b'),
  'rejects a url without TLS': url('http://a/b'),
  'rejects a url without a host': url('https:///b'),
  'rejects a url without a scheme': url('//a/b'),
  'rejects an empty url': url(''),
  'rejects a url that cannot be parsed': url('https://a b/%zz'),
  'accepts a url with a port and an address': url('https://[::1]:8443/b'),
  'rejects a caBundle that is not base64': { clientConfig: { url: 'https://a', caBundle: '%%%' } },
  'accepts a caBundle that is not PEM': { clientConfig: { url: 'https://a', caBundle: base64('not PEM') } },
  'accepts an empty caBundle': { clientConfig: { url: 'https://a', caBundle: '' } },
  'defaults the port of a service': service({}),
  'rejects a service without a name': service({ name: '' }),
  'rejects a service without a namespace': service({ namespace: undefined }),
  'rejects a port that is too large': service({ port: 65_536 }),
  'rejects a path without a slash at the start': service({ path: 'check' }),
  'rejects a path with an empty segment': service({ path: '/a//b' }),
  'rejects a path with a segment that is not valid': service({ path: '/a b' }),
  'accepts the path of the root': service({ path: '/' }),
  'rejects a webhook without admissionReviewVersions': { admissionReviewVersions: undefined },
  'rejects a webhook with empty admissionReviewVersions': { admissionReviewVersions: [] },
  'rejects admissionReviewVersions without a known version': { admissionReviewVersions: ['v2'] },
  'rejects repeated admissionReviewVersions': { admissionReviewVersions: ['v1', 'v1'] },
  'rejects admissionReviewVersions that are not labels': { admissionReviewVersions: ['v1', 'V_2'] },
  'accepts an unknown version next to a known version': { admissionReviewVersions: ['v2', 'v1beta1'] },
  'rejects a webhook without sideEffects': { sideEffects: undefined },
  'rejects sideEffects Some': { sideEffects: 'Some' },
  'rejects sideEffects Unknown': { sideEffects: 'Unknown' },
  'accepts sideEffects NoneOnDryRun': { sideEffects: 'NoneOnDryRun' },
  'rejects an unknown failurePolicy': { failurePolicy: 'Retry' },
  'rejects an unknown matchPolicy': { matchPolicy: 'Similar' },
  'rejects an unknown reinvocationPolicy of a mutating webhook': { reinvocationPolicy: 'Always' },
  'rejects a timeout of 0 s': { timeoutSeconds: 0 },
  'rejects a negative timeout': { timeoutSeconds: -1 },
  'rejects a timeout of 31 s': { timeoutSeconds: 31 },
  'accepts a timeout of 30 s': { timeoutSeconds: 30 },
  'rejects a timeout of the wrong type': { timeoutSeconds: 'ten' },
  'rejects a namespaceSelector with an unknown operator': {
    namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] },
  },
  'rejects a namespaceSelector with a key that is not valid': { namespaceSelector: { matchLabels: { 'a b': 'c' } } },
  'rejects an objectSelector without values': {
    objectSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
  },
  'rejects an objectSelector with values for Exists': {
    objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
  },
  'rejects an objectSelector with a label that is not valid': { objectSelector: { matchLabels: { a: 'b c' } } },
  'rejects a rule without operations': rules({ operations: [] }),
  'rejects a rule with an unknown operation': rules({ operations: ['PATCH'] }),
  'rejects a rule with all operations and another operation': rules({ operations: ['*', 'CREATE'] }),
  'rejects a rule without groups': rules({ apiGroups: undefined }),
  'rejects a rule with all groups and another group': rules({ apiGroups: ['*', 'apps'] }),
  'rejects a rule with an empty version': rules({ apiVersions: [''] }),
  'rejects a rule with all versions and another version': rules({ apiVersions: ['v1', '*'] }),
  'rejects a rule without resources': rules({ resources: [] }),
  'rejects a rule with an empty resource': rules({ resources: ['pods', ''] }),
  'rejects a rule with all resources and another resource': rules({ resources: ['*', 'pods'] }),
  'rejects a rule with all subresources and another resource': rules({ resources: ['*/*', 'pods'] }),
  'rejects a rule with all subresources of a resource and one of these subresources': rules({
    resources: ['pods/*', 'pods/status'],
  }),
  'rejects a rule with a subresource of all resources and of one resource': rules({
    resources: ['*/status', 'a/status'],
  }),
  'accepts a rule with all resources and all subresources of one resource': rules({ resources: ['*', 'pods/*'] }),
  'rejects a rule with an unknown scope': rules({ scope: 'Global' }),
  'accepts a webhook without rules': { rules: undefined },
  'rejects a condition without an expression': condition(''),
  'rejects a condition without a name': condition('true', ''),
  'rejects a condition with a name that is not valid': condition('true', 'a b'),
  'rejects a condition that cannot be parsed': condition("object.metadata.name ==\n  'a"),
  'rejects a condition with an unknown variable': condition('unknown.field == 1'),
  'rejects a condition with the variable params': condition('params.limit == 1'),
  'accepts a condition with the variable namespaceObject': condition("namespaceObject.metadata.name == 'a'"),
  'rejects a condition with the variable variables': condition('variables.a == 1'),
  'rejects a condition that is not a bool': condition('request.name'),
  'rejects a condition that is a dynamic value': condition('object.spec.enabled'),
  'rejects a condition with an unknown function': condition("object.name.nothing('a')"),
  'rejects a condition that compares different types': condition("request.dryRun == 'yes'"),
  'rejects a condition with an unknown field of the request': condition("request.verb == 'create'"),
  'accepts a condition whose cost is high': condition(
    'object.items.all(a, object.items.all(b, object.items.all(c, object.items.all(d, a == b && c == d))))',
  ),
  'rejects repeated conditions': {
    matchConditions: [
      { name: 'c', expression: 'true' },
      { name: 'c', expression: 'false' },
    ],
  },
  'rejects more than 64 conditions': {
    matchConditions: Array.from({ length: 65 }, (_, at) => ({ name: `c${at}`, expression: 'true' })),
  },
  'ignores unknown fields': { unknown: 1 },
};

contract(
  'webhooks-configurations',
  {},
  {
    ...Object.fromEntries(
      Object.entries(fields).map(([title, more]) => [title, (api: ContractApi) => tried(api, webhook(more))]),
    ),
    'defaults the fields of a webhook': (api) => tried(api, webhook()),
    'rejects webhooks with equal names': (api) => tried(api, webhook(), webhook()),
    'reports the errors of all webhooks': (api) =>
      tried(api, webhook({ sideEffects: 'Odd' }), webhook({ name: 'b', rules: [{}], timeoutSeconds: 99 })),
    'accepts a configuration without webhooks': (api) => tried(api),
    'rejects a configuration without a name': async (api) => {
      for (const kind of kinds) await api.post(configurations(kind) + dry, { webhooks: [] });
    },
    'rejects a configuration with a name that is not valid': async (api) => {
      for (const kind of kinds) await api.post(configurations(kind) + dry, { metadata: { name: 'A b' } });
    },
    'rejects updates that are not valid': async (api) => {
      for (const kind of kinds) {
        const name = api.name('hooks');
        // The group of the rule has no resources, so no other case is affected.
        await api.post(configurations(kind), { metadata: { name }, webhooks: [webhook()] }, { quiet: true });
        const path = `${configurations(kind)}/${name}`;
        await api.patch(path, { webhooks: [webhook({ sideEffects: 'Some', timeoutSeconds: 31 })] }, brief);
        await api.patch(path, { webhooks: [webhook(condition('request.name'))] }, brief);
        await api.patch(path, [{ op: 'replace', path: '/webhooks/0/name', value: 'b' }], {
          ...brief,
          type: 'application/json-patch+json',
        });
      }
    },
    'merges webhooks by name in a strategic merge patch': async (api) => {
      for (const kind of kinds) {
        const name = api.name('hooks');
        await api.post(configurations(kind), { metadata: { name }, webhooks: [webhook()] }, { quiet: true });
        const path = `${configurations(kind)}/${name}`;
        const type = 'application/strategic-merge-patch+json';
        const webhooks = [{ name: 'a.example.com', timeoutSeconds: 5 }, webhook({ name: 'b.example.com' })];
        await api.patch(path, { webhooks }, { ...brief, type });
        await api.patch(path, { webhooks: [{ name: 'a.example.com', $patch: 'delete' }] }, { ...brief, type });
      }
    },
    'merges webhooks by name in an apply': async (api) => {
      for (const kind of kinds) {
        const name = api.name('hooks');
        const kindName = kind === 'validating' ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration';
        const type = 'application/apply-patch+yaml';
        const applied = (...webhooks: readonly object[]): object => ({
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: kindName,
          metadata: { name },
          webhooks,
        });
        await api.post(configurations(kind), applied(webhook()), { quiet: true });
        const path = `${configurations(kind)}/${name}`;
        const caBundle = base64('authority');
        const injected = { name: 'a.example.com', clientConfig: { caBundle } };
        await api.patch(`${path}?fieldManager=injector`, applied(injected), { ...brief, type });
        await api.patch(`${path}?fieldManager=other`, applied(webhook({ timeoutSeconds: 5 })), { ...brief, type });
        await api.get(path, { only: ['metadata.managedFields', 'metadata.generation'] });
      }
    },
  },
);
