import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { definitions, install, statusAndScale, version, widgets } from './custom-kinds.js';

const text = { type: 'string' };
const refused = { only: ['message', 'reason', 'code', 'details.causes'] };

/** Returns a definition whose spec has one field with the given schema. */
const field = (schema: object): object => rooted({ type: 'object', properties: { a: schema } });
/** Returns a definition with the given schema. */
const rooted = (schema: object): object => ({ versions: [version('v1', { schema: { openAPIV3Schema: schema } })] });
const create = (api: ContractApi, spec: object, metadata: object = {}): Promise<unknown> =>
  api.post(definitions, widgets(api, spec, metadata), refused);
/** Returns a case that creates definitions that the server rejects. */
const refuses =
  (...specs: readonly object[]) =>
  async (api: ContractApi): Promise<void> => {
    for (const spec of specs) await create(api, spec);
  };
const names = (more: object): object => ({ names: { plural: 'widgets', kind: 'Widget', ...more } });
const column = (more: object): object => ({
  versions: [version('v1', { additionalPrinterColumns: [{ name: 'X', type: 'string', jsonPath: '.x', ...more }] })],
});
const scale = (more: object): object => ({
  versions: [version('v1', { subresources: { scale: { ...statusAndScale.scale, ...more } } })],
});

contract(
  'crd-schemas',
  {},
  {
    'rejects a schema without a type': refuses(
      field({}),
      field({ type: 'array', items: {} }),
      field({ type: 'object', additionalProperties: {} }),
      rooted({ properties: { a: text } }),
    ),
    'rejects an unknown type': refuses(field({ type: 'thing' }), field({ type: 'null' })),
    'rejects a root that is not an object or is nullable': refuses(
      rooted({ type: 'string' }),
      rooted({ type: 'object', nullable: true }),
    ),
    'rejects a list without exactly one items schema': refuses(
      field({ type: 'array' }),
      field({ type: 'array', items: text, uniqueItems: true }),
    ),
    'rejects properties with additionalProperties': refuses(
      field({ type: 'object', properties: { b: text }, additionalProperties: text }),
      rooted({ type: 'object', additionalProperties: text }),
    ),
    'rejects structural fields in logical junctors': refuses(
      field({ ...text, anyOf: [{ type: 'string' }] }),
      field({ ...text, allOf: [{ description: 'x', nullable: true }] }),
      field({ ...text, oneOf: [{ title: 'x', default: 'y' }] }),
      field({ ...text, not: { 'x-kubernetes-int-or-string': true } }),
    ),
    'rejects logical junctors that refer to undeclared fields at the root': refuses(
      rooted({ type: 'object', anyOf: [{ properties: { b: { minimum: 1 } } }] }),
      rooted({ type: 'object', properties: { b: text }, not: { properties: { b: { properties: { c: {} } } } } }),
    ),
    'accepts logical junctors that refer to undeclared fields in nested values': async (api) => {
      const spec = field({ type: 'object', anyOf: [{ properties: { b: { minimum: 1 } } }] });
      await api.post(definitions, widgets(api, spec), { only: ['kind', 'spec.versions'] });
    },
    'rejects x-kubernetes-preserve-unknown-fields false': refuses(
      field({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
    ),
    'rejects a type or x-kubernetes-preserve-unknown-fields together with x-kubernetes-int-or-string': refuses(
      field({ 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }),
      field({ 'x-kubernetes-int-or-string': true, type: 'string' }),
    ),
    'rejects x-kubernetes-embedded-resource without the type object or without any fields': refuses(
      field({ ...text, 'x-kubernetes-embedded-resource': true }),
      field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
      field({ 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
    ),
    'rejects restrictions of metadata fields other than the name': refuses(
      rooted({
        type: 'object',
        properties: {
          metadata: { type: 'object', properties: { labels: { type: 'object', additionalProperties: text } } },
        },
      }),
      rooted({ type: 'object', properties: { metadata: text } }),
      rooted({ type: 'object', properties: { kind: { type: 'integer' } } }),
    ),
    'rejects an invalid pattern': refuses(field({ ...text, pattern: '(' }), field({ ...text, pattern: 'a{2,1}' })),
    'rejects an unknown list type, a list type of a string, and a set of invalid items': refuses(
      field({ ...text, 'x-kubernetes-list-type': 'set' }),
      field({ type: 'array', items: text, 'x-kubernetes-list-type': 'bag' }),
      field({ type: 'array', items: { ...text, nullable: true }, 'x-kubernetes-list-type': 'set' }),
      field({ type: 'array', items: { type: 'object', properties: { b: text } }, 'x-kubernetes-list-type': 'set' }),
    ),
    'rejects a list of type map without valid keys': refuses(
      field({ type: 'array', items: { type: 'object', properties: { b: text } }, 'x-kubernetes-list-type': 'map' }),
      field({ type: 'array', items: text, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['b'] }),
      field({
        type: 'array',
        items: { type: 'object', properties: { b: text } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b'],
      }),
      field({
        type: 'array',
        items: { type: 'object', required: ['c'], properties: { b: text } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['c'],
      }),
      field({ type: 'array', items: text, 'x-kubernetes-list-map-keys': ['b'] }),
    ),
    'rejects an unknown map type and a map type of a string': refuses(
      field({ ...text, 'x-kubernetes-map-type': 'atomic' }),
      field({ type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'solid' }),
    ),
    'rejects a default that does not match its schema': refuses(
      field({ type: 'integer', default: 'x' }),
      field({ type: 'object', properties: { b: text }, default: { c: 1 } }),
      field({ ...text, maxLength: 1, default: 'xx' }),
      rooted({
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { ...text, default: 'x' } } } },
      }),
    ),
    'rejects additional keywords at the root with a status subresource': async (api) => {
      const schema = { openAPIV3Schema: { type: 'object', maxProperties: 3, properties: { a: text } } };
      await create(api, { versions: [version('v1', { schema, subresources: { status: {} } })] });
    },
    'rejects a version without a schema': async (api) => {
      await create(api, { versions: [version('v1', { schema: undefined })] });
      await create(api, { versions: [version('v1'), version('v2', { storage: false, schema: {} })] });
    },
    'rejects duplicate and invalid versions, and definitions without one storage version': refuses(
      { versions: [version('v1'), version('v1', { storage: false })] },
      { versions: [version('v1'), version('v2')] },
      { versions: [version('v1', { storage: false })] },
      { versions: [version('V1')] },
      { versions: [] },
    ),
    'rejects an invalid group': refuses({ group: 'example' }, { group: 'Example.com' }, { group: '' }),
    'rejects a name other than the plural and the group': async (api) => {
      await create(api, {}, { name: `gadgets.${api.group}` });
    },
    'rejects invalid names': refuses(
      names({ kind: 'wid get' }),
      names({ singular: 'Widget' }),
      names({ shortNames: ['W'] }),
      names({ categories: ['a b'] }),
      names({ listKind: 'Widget' }),
      names({ kind: '' }),
    ),
    'rejects a missing or unknown scope': refuses({ scope: 'Galaxy' }, { scope: undefined }),
    'requires an approval annotation for groups of Kubernetes': async (api) => {
      const group = `${api.name('team')}.k8s.io`;
      const annotated = (approval: string): object => ({
        name: `widgets.${group}`,
        annotations: { 'api-approved.kubernetes.io': approval },
      });
      await create(api, { group }, { name: `widgets.${group}` });
      await create(api, { group }, annotated('yes'));
      await api.post(`${definitions}?dryRun=All`, widgets(api, { group }, annotated('unapproved, a test')), {
        only: ['kind'],
      });
      await api.post(`${definitions}?dryRun=All`, widgets(api, { group }, annotated('https://example.com/1')), {
        only: ['kind'],
      });
    },
    'rejects preserveUnknownFields of the definition': refuses({ preserveUnknownFields: true }),
    'rejects invalid printer columns': refuses(
      column({ type: 'text' }),
      column({ name: '' }),
      column({ type: '' }),
      column({ jsonPath: 'x' }),
      column({ jsonPath: '' }),
      column({ format: 'roman' }),
    ),
    'rejects invalid paths of the scale subresource': refuses(
      scale({ specReplicasPath: '.status.size' }),
      scale({ statusReplicasPath: 'status.size' }),
      scale({ labelSelectorPath: '.metadata.labels' }),
      scale({ specReplicasPath: '' }),
    ),
    'rejects invalid selectable fields': async (api) => {
      const select = (...paths: readonly string[]): object => ({
        versions: [version('v1', { selectableFields: paths.map((jsonPath) => ({ jsonPath })) })],
      });
      for (const path of ['.spec.none', '.spec', '.metadata.name', 'spec.size', '.spec.size[0]', '']) {
        await create(api, select(path));
      }
      await create(api, select('.spec.size', '.spec.size'));
    },
    'rejects invalid deprecation warnings': refuses(
      { versions: [version('v1', { deprecationWarning: 'old' })] },
      { versions: [version('v1', { deprecated: true, deprecationWarning: '' })] },
      { versions: [version('v1', { deprecated: true, deprecationWarning: 'x'.repeat(257) })] },
      { versions: [version('v1', { deprecated: true, deprecationWarning: 'a\nb' })] },
    ),
    'rejects an invalid conversion': refuses(
      { conversion: { strategy: 'Magic' } },
      { conversion: { strategy: '' } },
      { conversion: { strategy: 'Webhook' } },
      { conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } } },
      { conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v9', 'v9'], clientConfig: {} } } },
    ),
    'warns about unknown formats': async (api) => {
      await api.post(`${definitions}?dryRun=All`, widgets(api, field({ ...text, format: 'colour' })), {
        only: ['kind'],
      });
      await api.post(`${definitions}?dryRun=All`, widgets(api, field({ ...text, format: 'date-time' })), {
        only: ['kind'],
      });
      await api.post(`${definitions}?dryRun=All`, widgets(api, field({ type: 'integer', format: 'int8' })), {
        only: ['kind'],
      });
      await api.post(`${definitions}?dryRun=All`, widgets(api, field({ ...text, format: 'k8s-short-name' })), {
        only: ['kind'],
      });
    },
    'validates an update of a definition': async (api) => {
      await install(api, widgets(api));
      const path = `${definitions}/widgets.${api.group}`;
      await api.patch(path, { spec: { versions: [version('v1', { storage: false })] } }, refused);
      await api.patch(path, { spec: { names: { shortNames: ['W'] } } }, refused);
    },
  },
);
