import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, RawClient } from '../../server/raw-client.test.support.js';
import {
  aggregated,
  apiServices,
  group,
  type Handle,
  resources,
  root,
  sendJson,
} from '../../server/extension-server.test.support.js';

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const animal = {
  resource: 'animals',
  responseKind: { group, version: 'v1', kind: 'Animal' },
  scope: 'Namespaced',
  singularResource: 'animal',
  verbs: ['get', 'list', 'watch'],
  subresources: [{ subresource: 'status', responseKind: { group, version: 'v1', kind: 'Animal' }, verbs: ['get'] }],
};

const notFound: Handle = (_request, response) => response.writeHead(404).end();

/** Returns the versions of the group of the extension API server in the aggregated discovery document. */
async function discovered(client: RawClient): Promise<readonly Json[]> {
  const { body } = await client.get('/apis', { accept: `${aggregatedType},application/json` });
  return (body.items.find(({ metadata }) => metadata.name === group)?.['versions'] ?? []) as readonly Json[];
}

describe('the documents of an aggregated API server', () => {
  test('are part of the discovery documents, in the order of the priorities', () =>
    aggregated(notFound, async ({ client, until }) => {
      await until('Passed');
      const names = ((await client.get('/apis')).body['groups'] as readonly Json[]).map(({ name }) => name);
      assert.equal(names.at(-1), group);
      assert.ok(names.indexOf('apps') < names.indexOf(group));
      const { body } = await client.get(`/apis/${group}`);
      assert.deepEqual(body['preferredVersion'], { groupVersion: `${group}/v1`, version: 'v1' });
      assert.deepEqual((await client.get(root)).body['resources'], resources);
      const paths = (await client.get('/')).body['paths'] as readonly string[];
      assert.ok(paths.includes(root));
      assert.deepEqual(await discovered(client), [{ version: 'v1', resources: [animal], freshness: 'Current' }]);
    }));

  test('can be an aggregated discovery document', () => {
    const listed = { ...animal, resource: 'plants' };
    const handle: Handle = (request, response) => {
      if (request.url !== '/apis') return notFound(request, response);
      const versions = [{ version: 'v1', resources: [listed], freshness: 'Current' }];
      sendJson(
        response,
        { kind: 'APIGroupDiscoveryList', items: [{ metadata: { name: group }, versions }] },
        aggregatedType,
      );
    };
    return aggregated(handle, async ({ client, until }) => {
      await until('Passed');
      assert.deepEqual(await discovered(client), [{ version: 'v1', resources: [listed], freshness: 'Current' }]);
    });
  });

  test('are stale while the server is not available', () =>
    aggregated(notFound, async ({ client, until, extension }) => {
      await until('Passed');
      assert.equal((await discovered(client))[0]?.['freshness'], 'Current');
      extension.closeAllConnections();
      extension.close();
      assert.deepEqual(await discovered(client), [{ version: 'v1', resources: [animal], freshness: 'Stale' }]);
      await client.send('DELETE', `${apiServices}/v1.${group}`);
      assert.deepEqual(await discovered(client), []);
    }));

  test('include OpenAPI 3 documents', () => {
    const path = `/openapi/v3${root}`;
    const location = { serverRelativeURL: `${path}?hash=ABC` };
    const handle: Handle = (request, response) => {
      if (request.url === '/openapi/v3')
        return sendJson(response, { paths: { [root.slice(1)]: location, version: {} } });
      sendJson(response, { openapi: '3.0.0', url: request.url });
    };
    return aggregated(handle, async ({ client, until }) => {
      await until('Passed');
      const { paths } = (await client.get('/openapi/v3')).body as unknown as {
        readonly paths: Record<string, unknown>;
      };
      assert.deepEqual(paths[root.slice(1)], location);
      assert.ok('apis/apps/v1' in paths);
      assert.ok(!('version' in paths));
      assert.deepEqual((await client.get(location.serverRelativeURL)).body, {
        openapi: '3.0.0',
        url: location.serverRelativeURL,
      });
    });
  });
});
