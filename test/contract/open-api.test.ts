import assert from 'node:assert/strict';
import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { change, definitionOf, install, statusAndScale, version, widgets } from './custom-kinds.js';

const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const spec = {
  type: 'object',
  required: ['colour', 'size'],
  properties: {
    colour: { type: 'string', default: 'red', enum: ['red', 'blue'] },
    size: { type: 'integer', minimum: 1, nullable: true },
    port: { 'x-kubernetes-int-or-string': true },
    free: { ...free, properties: { a: { type: 'string' } } },
    embedded: { ...free, 'x-kubernetes-embedded-resource': true },
    list: {
      type: 'array',
      items: { type: 'object', required: ['n'], properties: { n: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['n'],
    },
    map: { type: 'object', additionalProperties: { type: 'string', maxLength: 4 } },
    any: { type: 'string', anyOf: [{ pattern: '^a' }, { pattern: '^b' }] },
  },
};
const everything = version('v1', {
  subresources: statusAndScale,
  selectableFields: [{ jsonPath: '.spec.colour' }],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      required: ['spec'],
      properties: { spec, status: { type: 'object', properties: { size: { type: 'integer' } } } },
    },
  },
});
const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

type Json = Readonly<Record<string, never>>;

/** Installs a kind with many schema features. Returns the path of its OpenAPI document when the document contains the kind. */
async function described(api: ContractApi): Promise<string> {
  api.mask(api.group.split('.').toReversed().join('.'), '<turned group>');
  const inNames = api.group
    .split('.')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('');
  api.mask(inNames, '<GroupInNames>');
  api.mask(`${inNames.charAt(0).toLowerCase()}${inNames.slice(1)}`, '<groupInNames>');
  await install(api, widgets(api, { versions: [everything] }));
  const path = `/openapi/v3/apis/${api.group}/v1`;
  await api.until(path, ({ status, body }) => status === 200 && JSON.stringify(body).includes('.v1.Widget"'));
  return path;
}

/** Returns a value without descriptions, which only a real server has. */
function structure(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structure);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, member]) => key !== 'description' || typeof member !== 'string');
  return Object.fromEntries(kept.map(([key, member]) => [key, structure(member)]));
}

const operations = ['operationId', 'x-kubernetes-action', 'x-kubernetes-group-version-kind', 'tags'];

// GET is first because every path supports it.
const methods = ['get', 'post', 'put', 'patch', 'delete'];

contract(
  'open-api',
  {},
  {
    'lists every group-version with its hash': async (api) => {
      const { body } = await api.get('/openapi/v3', { quiet: true });
      for (const path of ['api/v1', 'apis/apps/v1', 'apis/batch/v1', 'apis/apiextensions.k8s.io/v1']) {
        assert.match(body.paths[path].serverRelativeURL, new RegExp(`^/openapi/v3/${path}\\?hash=[0-9A-F]{128}$`));
      }
    },
    'sets immutable caching for a document requested with its hash': async (api) => {
      const { body } = await api.get('/openapi/v3', { quiet: true });
      const { headers, status } = await api.get(body.paths['apis/apps/v1'].serverRelativeURL, { quiet: true });
      assert.equal(status, 200);
      assert.equal(headers['cache-control'], 'public, immutable');
      assert.match(headers['etag'] ?? '', /^"[0-9A-F]{128}"$/);
      assert.match(headers['expires'] ?? '', /UTC$/);
    },
    'does not set caching for a document requested without a hash': async (api) => {
      const { headers } = await api.get('/openapi/v3/apis/apps/v1', { quiet: true });
      assert.equal(headers['cache-control'], 'no-cache, private');
      assert.match(headers['etag'] ?? '', /^"[0-9A-F]{128}"$/);
    },
    'redirects an outdated hash to the current hash': async (api) => {
      const { headers, status } = await api.get('/openapi/v3/apis/apps/v1?hash=OLD', { quiet: true });
      assert.equal(status, 301);
      assert.match(headers['location'] ?? '', /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    },
    'returns 304 for an unchanged document': async (api) => {
      const { headers } = await api.get('/openapi/v3/apis/apps/v1', { quiet: true });
      const again = { 'if-none-match': headers['etag'] ?? '' };
      await api.get('/openapi/v3/apis/apps/v1', { headers: again, showHeaders: ['vary', 'cache-control'] });
    },
    'returns 404 for an absent document': async (api) => {
      await api.get('/openapi/v3/apis/apps/v9');
      await api.get('/openapi/v3/apis/unknown.example.com/v1');
    },
    'returns 406 for an unsupported media type': async (api) => {
      await api.get('/openapi/v3/apis/apps/v1', { headers: { accept: 'text/html' } });
      await api.get('/openapi/v2', { headers: { accept: 'text/html' } });
    },
    'lists the paths of a custom kind': async (api) => {
      const path = await described(api);
      const named = methods.flatMap((method) => operations.map((field) => `paths.*.${method}.${field}`));
      await api.get(path, { only: ['openapi', 'info', ...named] });
    },
    'describes the parameters of operations of a custom kind': async (api) => {
      const path = await described(api);
      const fields = ['name', 'in', 'schema.type'];
      const given = fields.flatMap((field) => [
        `paths.*.parameters.*.${field}`,
        ...methods.map((method) => `paths.*.${method}.parameters.*.${field}`),
      ]);
      await api.get(path, { only: given });
    },
    'describes the responses and bodies of operations of a custom kind': async (api) => {
      const path = await described(api);
      const schema = 'content.application/json.schema';
      const answers = methods.map((method) => `paths.*.${method}.responses.200.${schema}`);
      const bodies = methods.slice(1).map((method) => `paths.*.${method}.requestBody.${schema}`);
      await api.get(path, { only: [...answers, ...bodies] });
    },
    'returns the schema of a custom kind with its extensions': async (api) => {
      const { body } = await api.get(await described(api), { quiet: true });
      const schemas = structure(body.components.schemas) as Record<string, Json>;
      const base = api.group.split('.').toReversed().join('.');
      const meta = { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] };
      const text = { type: 'string' };
      const kind = schemas[`${base}.v1.Widget`] as unknown as { properties: Record<string, unknown> };
      assert.deepEqual(kind, {
        type: 'object',
        required: ['spec'],
        properties: {
          apiVersion: text,
          kind: text,
          metadata: meta,
          spec: {
            ...spec,
            properties: {
              ...spec.properties,
              port: { anyOf: [{ type: 'integer' }, text], 'x-kubernetes-int-or-string': true },
              embedded: {
                ...spec.properties.embedded,
                properties: { apiVersion: text, kind: text, metadata: meta },
                required: ['kind', 'apiVersion'],
              },
            },
          },
          status: { type: 'object', properties: { size: { type: 'integer' } } },
        },
        'x-kubernetes-group-version-kind': [{ group: api.group, version: 'v1', kind: 'Widget' }],
        'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.colour' }],
      });
    },
    'returns the schema of a list of a custom kind': async (api) => {
      const { body } = await api.get(await described(api), { quiet: true });
      const base = api.group.split('.').toReversed().join('.');
      assert.deepEqual(structure(body.components.schemas[`${base}.v1.WidgetList`]), {
        type: 'object',
        required: ['items'],
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta' }] },
          items: { type: 'array', items: { $ref: `#/components/schemas/${base}.v1.Widget` } },
        },
        'x-kubernetes-group-version-kind': [{ group: api.group, version: 'v1', kind: 'WidgetList' }],
        'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.colour' }],
      });
    },
    'includes only the schemas that the kinds of a document need': async (api) => {
      const { body } = await api.get(await described(api), { quiet: true });
      const base = api.group.split('.').toReversed().join('.');
      const names = Object.keys(body.components.schemas).filter((name) => !name.startsWith('io.k8s.apimachinery'));
      const scale = ['', 'Spec', 'Status'].map((part) => `io.k8s.api.autoscaling.v1.Scale${part}`);
      assert.deepEqual(names.toSorted(), [`${base}.v1.Widget`, `${base}.v1.WidgetList`, ...scale]);
    },
    'changes a document and its hash with the definition': async (api) => {
      const path = await described(api);
      const { headers } = await api.get(path, { quiet: true });
      const wheels = { type: 'object', properties: { wheels: { type: 'integer' } } };
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec: wheels } } };
      await change(api, { versions: [version('v1', { schema })] }, { quiet: true });
      const { headers: after } = await api.until(path, ({ body }) => JSON.stringify(body).includes('wheels'));
      assert.notEqual(after['etag'], headers['etag']);
      await api.delete(definitionOf(api), undefined, { quiet: true });
      await api.until(path, ({ status }) => status === 404);
    },
    'returns the merge keys of built-in kinds': async (api) => {
      const { body } = await api.get('/openapi/v3/api/v1', { quiet: true });
      const { containers, tolerations } = body.components.schemas['io.k8s.api.core.v1.PodSpec'].properties;
      assert.equal(containers['x-kubernetes-patch-merge-key'], 'name');
      assert.equal(containers['x-kubernetes-patch-strategy'], 'merge');
      assert.equal(containers['x-kubernetes-list-type'], 'map');
      assert.equal(tolerations['x-kubernetes-list-type'], 'atomic');
    },
    'returns built-in kinds in OpenAPI 2 with int-or-string fields as strings': async (api) => {
      const { body } = await api.get('/openapi/v2', { quiet: true });
      const definitions = body.definitions;
      assert.equal(body.swagger, '2.0');
      assert.deepEqual(structure(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString']), {
        type: 'string',
        format: 'int-or-string',
      });
      assert.deepEqual(structure(definitions['io.k8s.api.core.v1.ConfigMap']), {
        type: 'object',
        properties: {
          apiVersion: { type: 'string' },
          binaryData: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
          data: { type: 'object', additionalProperties: { type: 'string' } },
          immutable: { type: 'boolean' },
          kind: { type: 'string' },
          metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
        },
        'x-kubernetes-group-version-kind': [{ group: '', kind: 'ConfigMap', version: 'v1' }],
      });
    },
    'keeps the merge strategies of references in OpenAPI 2': async (api) => {
      const { body } = await api.get('/openapi/v2', { quiet: true });
      assert.deepEqual(structure(body.definitions['io.k8s.api.apps.v1.DeploymentSpec'].properties.strategy), {
        $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentStrategy',
        'x-kubernetes-patch-strategy': 'retainKeys',
      });
    },
    'omits types of untyped fields of custom kinds in OpenAPI 2': async (api) => {
      await described(api);
      const base = api.group.split('.').toReversed().join('.');
      const { body } = await api.until(
        '/openapi/v2',
        ({ body: all }) => all.definitions[`${base}.v1.Widget`] !== undefined,
      );
      const { properties } = structure(body.definitions[`${base}.v1.Widget`]) as { properties: Json };
      assert.deepEqual(properties['spec'], {
        type: 'object',
        required: ['colour'],
        properties: {
          colour: { type: 'string', enum: ['red', 'blue'] },
          size: { minimum: 1 },
          port: { 'x-kubernetes-int-or-string': true },
          free: { 'x-kubernetes-preserve-unknown-fields': true },
          embedded: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
          list: spec.properties.list,
          map: spec.properties.map,
          any: { type: 'string' },
        },
      });
    },
    'returns the paths of built-in kinds in OpenAPI 2': async (api) => {
      const { body } = await api.get('/openapi/v2', { quiet: true });
      const path = body.paths['/api/v1/namespaces/{namespace}/configmaps/{name}'];
      const ids = ['get', 'put', 'patch', 'delete'].map((method) => path[method].operationId);
      assert.deepEqual(
        ids,
        ['read', 'replace', 'patch', 'delete'].map((verb) => `${verb}CoreV1NamespacedConfigMap`),
      );
      assert.deepEqual(structure(path.put['x-kubernetes-group-version-kind']), {
        group: '',
        kind: 'ConfigMap',
        version: 'v1',
      });
    },
    'returns OpenAPI 2 as Protocol Buffers for kubectl': async (api) => {
      const { headers, status } = await api.get('/openapi/v2', { headers: { accept: protobuf }, quiet: true });
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
      assert.match(headers['etag'] ?? '', /^"[0-9A-F]{128}"$/);
    },
  },
);
