import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { Registry } from '../../registry/registry.js';
import { systemContext } from '../../registry/requests/request-context.js';
import { Store } from '../../storage/store.js';
import { OpenApi } from './open-api.js';

function define(registry: Registry, group: string): void {
  const body = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
  const definitions = registry.builtIn('apiextensions.k8s.io/v1/customresourcedefinitions');
  definitions.create(body, systemContext('test', 'create'));
}

function described(): { readonly registry: Registry; readonly openApi: OpenApi } {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  const openApi = new OpenApi(registry);
  registry.onChange(() => openApi.invalidate());
  return { registry, openApi };
}

test('a new CustomResourceDefinition changes only the OpenAPI 3 document of its group version', async () => {
  const { registry, openApi } = described();
  define(registry, 'a.example.com');
  const paths = ['api/v1', 'apis/apps/v1', 'apis/a.example.com/v1'];
  const before = await Promise.all(paths.map((path) => openApi.document(path)));
  assert.ok(before.every((document) => document !== undefined));
  define(registry, 'b.example.com');
  const after = await Promise.all(paths.map((path) => openApi.document(path)));
  for (const [at, document] of after.entries()) assert.equal(document, before[at], paths[at]);
  assert.match((await openApi.document('apis/b.example.com/v1'))?.text ?? '', /"com\.example\.b\.v1\.Thing":/);
});

test('does not serve the OpenAPI documents of a removed CustomResourceDefinition', async () => {
  const { registry, openApi } = described();
  define(registry, 'a.example.com');
  assert.match((await openApi.version2()).text, /"com\.example\.a\.v1\.Thing":/);
  const definitions = registry.builtIn('apiextensions.k8s.io/v1/customresourcedefinitions');
  const key = { name: 'things.a.example.com' };
  definitions.delete(key, {}, systemContext('test', 'delete'));
  const withoutFinalizers = ({ metadata, ...rest }: ApiObject): ApiObject => ({
    ...rest,
    metadata: { ...metadata, finalizers: [] },
  });
  finish(definitions.replaceSteps(key, withoutFinalizers, systemContext('test', 'update')));
  assert.equal(await openApi.document('apis/a.example.com/v1'), undefined);
  assert.doesNotMatch((await openApi.version2()).text, /"com\.example\.a\.v1\.Thing":/);
});

test('sorts the paths and definitions of the OpenAPI 2 document by name', async () => {
  const { registry, openApi } = described();
  define(registry, 'a.example.com');
  const { paths, definitions } = JSON.parse((await openApi.version2()).text) as Record<'paths' | 'definitions', object>;
  for (const names of [Object.keys(paths), Object.keys(definitions)]) {
    assert.ok(names.length > 100);
    assert.deepEqual(names, names.toSorted());
  }
});

test('concurrent requests for the OpenAPI 2 document generate the document once', async () => {
  const { openApi } = described();
  const document = openApi.version2();
  assert.equal(openApi.version2(), document);
  await document;
});
