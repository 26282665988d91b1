import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiServer } from '../../server/api-server.js';
import { RawClient } from '../../server/raw-client.test.support.js';
import { compareVersions } from '@kubewright/api/names';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'frogs.pond.example.com' },
  spec: {
    group: 'pond.example.com',
    scope: 'Namespaced',
    names: { kind: 'Frog', plural: 'frogs', shortNames: ['fr'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { leaps: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
};

test('sorts versions by stability and then by number', () => {
  const versions = ['v1alpha1', 'v1', 'foo', 'v2beta1', 'v2', 'v1beta2'];
  assert.deepEqual(versions.toSorted(compareVersions), ['v2', 'v1', 'v2beta1', 'v1beta2', 'v1alpha1', 'foo']);
});

describe('discovery and OpenAPI', () => {
  let server: ApiServer;
  let client: RawClient;
  before(async () => {
    server = await ApiServer.start();
    client = new RawClient(server);
    await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  });
  after(() => server.stop());

  test('the legacy documents list groups, versions and resources with subresources', async () => {
    assert.deepEqual((await client.get('/api')).body['versions'], ['v1']);
    const groups = (await client.get('/apis')).body['groups'] as readonly { readonly name: string }[];
    assert.ok(groups.some(({ name }) => name === 'pond.example.com'));
    assert.deepEqual((await client.get('/apis/pond.example.com')).body['preferredVersion'], {
      groupVersion: 'pond.example.com/v1',
      version: 'v1',
    });
    const { resources } = (await client.get('/apis/apps/v1')).body as unknown as {
      readonly resources: readonly { readonly name: string; readonly kind: string }[];
    };
    assert.equal(resources.find(({ name }) => name === 'deployments/scale')?.kind, 'Scale');
  });

  test('the aggregated document contains all groups and supports If-None-Match', async () => {
    const answer = await client.get('/apis', { accept: aggregated });
    assert.match(String(answer.headers['content-type']), /as=APIGroupDiscoveryList/);
    const frogs = answer.body.items.find(({ metadata }) => metadata.name === 'pond.example.com');
    assert.ok(frogs);
    const [version] = frogs['versions'] as readonly {
      readonly resources: readonly { readonly shortNames: string[] }[];
    }[];
    assert.deepEqual(version?.resources[0]?.shortNames, ['fr']);
    const again = await client.get('/apis', { accept: aggregated, 'if-none-match': String(answer.headers['etag']) });
    assert.equal(again.status, 304);
  });

  test('every group version has an OpenAPI document without dangling references', async () => {
    const index = (await client.get('/openapi/v3')).body['paths'] as Record<
      string,
      { readonly serverRelativeURL: string }
    >;
    for (const { serverRelativeURL } of Object.values(index)) {
      const { text, status } = await client.get(serverRelativeURL);
      assert.equal(status, 200);
      const { components } = JSON.parse(text) as { readonly components: { readonly schemas: Record<string, unknown> } };
      for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
        assert.ok(name in components.schemas, `${serverRelativeURL}: ${name}`);
      }
    }
  });

  test('the document of a custom kind contains its schema and its patch parameters', async () => {
    const { components, paths } = (await client.get('/openapi/v3/apis/pond.example.com/v1')).body as unknown as {
      readonly components: { readonly schemas: Record<string, { readonly properties: Record<string, unknown> }> };
      readonly paths: Record<string, { readonly patch: { readonly parameters: readonly { readonly name: string }[] } }>;
    };
    assert.ok(components.schemas['com.example.pond.v1.Frog']?.properties['spec']);
    const patch = paths['/apis/pond.example.com/v1/namespaces/{namespace}/frogs/{name}']?.patch;
    assert.ok(patch?.parameters.some(({ name }) => name === 'fieldValidation'));
  });

  test('the deletion of a CustomResourceDefinition removes its API group from discovery', async () => {
    await client.send('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/frogs.pond.example.com');
    assert.equal((await client.get('/apis/pond.example.com/v1')).status, 404);
    assert.equal((await client.get('/apis/pond.example.com/v1/frogs')).text, '404 page not found\n');
  });
});
