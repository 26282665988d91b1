import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiServer } from '../server/api-server.js';
import { configMap, RawClient } from '../server/raw-client.test.support.js';

const path = '/api/v1/namespaces/default/configmaps';
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const applyPatch = { 'content-type': 'application/apply-patch+yaml' };

const as = (kind: string) => ({ accept: `application/json;as=${kind};v=v1;g=meta.k8s.io,application/json` });

describe('requests for resources', () => {
  let server: ApiServer;
  let client: RawClient;
  before(async () => {
    server = await ApiServer.start();
    client = new RawClient(server);
  });
  after(() => server.stop());

  test('creates, reads, replaces and deletes an object', async () => {
    const created = await client.post(path, configMap('crud', { a: '1' }));
    assert.equal(created.status, 201);
    assert.equal((await client.post(path, configMap('crud'))).body['reason'], 'AlreadyExists');
    const replaced = await client.send('PUT', `${path}/crud`, { body: { ...created.body, data: { a: '2' } } });
    assert.equal(replaced.body.data['a'], '2');
    const stale = await client.send('PUT', `${path}/crud`, { body: { ...created.body, data: { a: '3' } } });
    assert.equal(stale.status, 409);
    assert.equal(stale.body['reason'], 'Conflict');
    const deleted = await client.send('DELETE', `${path}/crud`);
    assert.equal(deleted.body['status'], 'Success');
    assert.equal((await client.get(`${path}/crud`)).status, 404);
  });

  test('a dry run returns the result and writes nothing', async () => {
    const before = server.resourceVersion;
    assert.equal((await client.post(`${path}?dryRun=All`, configMap('dry'))).status, 201);
    assert.equal(server.resourceVersion, before);
  });

  test('fieldValidation Strict rejects unknown fields, Warn drops them with a warning, and Ignore drops them silently', async () => {
    const body = { ...configMap('fields'), surprise: 1 };
    const strict = await client.post(`${path}?fieldValidation=Strict`, body);
    assert.equal(strict.status, 400);
    assert.match(String(strict.body['message']), /strict decoding error: unknown field "surprise"/);
    const warned = await client.post(path, body);
    assert.equal(warned.headers['warning'], '299 - "unknown field \\"surprise\\""');
    assert.equal(warned.body['surprise'], undefined);
    await client.send('DELETE', `${path}/fields`);
    assert.equal((await client.post(`${path}?fieldValidation=Ignore`, body)).headers['warning'], undefined);
  });

  test('fieldValidation Strict rejects duplicate fields, Warn uses the last value with a warning, and Ignore accepts them', async () => {
    const body = '{"metadata":{"name":"twice"},"data":{"a":"1","a":"2"},"surprise":1}';
    const strict = await client.post(`${path}?fieldValidation=Strict`, body);
    assert.equal(strict.status, 400);
    assert.equal(
      strict.body['message'],
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ' +
        'duplicate field "data.a", unknown field "surprise"',
    );
    const warned = await client.post(path, body);
    assert.match(String(warned.headers['warning']), /299 - "duplicate field \\"data.a\\""/);
    assert.deepEqual(warned.body.data, { a: '2' });
    const replaced = { body: body.replace(',"surprise":1', '') };
    assert.equal((await client.send('PUT', `${path}/twice?fieldValidation=Strict`, replaced)).status, 400);
    const ignored = await client.send('PUT', `${path}/twice?fieldValidation=Ignore`, replaced);
    assert.equal(ignored.headers['warning'], undefined);
    assert.equal((await client.post(path, '{"a\\q"')).status, 400);
  });

  test('returns 404 for a cluster-scoped resource in the path of a namespace', async () => {
    for (const resource of ['nodes', 'namespaces', 'namespaces/default']) {
      assert.equal((await client.get(`/api/v1/namespaces/default/${resource}`)).status, 404);
    }
    assert.equal((await client.post('/api/v1/namespaces/default/namespaces', { metadata: { name: 'x' } })).status, 404);
    assert.equal((await client.get('/api/v1/namespaces/default')).body.metadata.name, 'default');
    assert.equal((await client.get('/api/v1/namespaces/default/status')).body.metadata.name, 'default');
  });

  test('rejects deeply nested objects, patches and manifests with 400', async () => {
    await client.post(path, configMap('shallow'));
    const nested = (levels: number) => `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const status = async (levels: number) => (await client.post(path, nested(levels))).status;
    assert.deepEqual([await status(100_000), await status(1000), await status(900)], [400, 400, 400]);
    const patched = await client.send('PATCH', `${path}/shallow`, { body: nested(100_000), headers: mergePatch });
    assert.equal(patched.body['message'], "error decoding patch: invalid character '[' exceeded max depth");
    const headers = { 'content-type': 'application/yaml' };
    assert.equal((await client.send('POST', path, { body: `data: ${'['.repeat(50_000)}`, headers })).status, 400);
  });

  test('the Status of an error without a known reason has no reason', async () => {
    const { status, body } = await client.post(path, { metadata: { name: 'v', resourceVersion: '1' } });
    assert.equal(status, 500);
    assert.equal(body['message'], 'resourceVersion should not be set on objects to be created');
    assert.equal('reason' in body, false);
  });

  test('JSON, merge and strategic merge patches change an object, and a failed test operation returns 422', async () => {
    await client.post(path, configMap('patched', { a: '1' }));
    const patch = (type: string, body: unknown) =>
      client.send('PATCH', `${path}/patched`, { body, headers: { 'content-type': `application/${type}+json` } });
    assert.deepEqual((await patch('json-patch', [{ op: 'add', path: '/data/b', value: '2' }])).body.data, {
      a: '1',
      b: '2',
    });
    assert.deepEqual((await patch('merge-patch', { data: { a: null } })).body.data, { b: '2' });
    assert.deepEqual((await patch('strategic-merge-patch', { data: { $patch: 'replace', c: '3' } })).body.data, {
      c: '3',
    });
    const mismatch = await patch('json-patch', [{ op: 'test', path: '/data/c', value: 'x' }]);
    assert.equal(mismatch.status, 422);
    assert.equal(mismatch.body['message'], 'the server rejected our request due to an error in our request');
    assert.equal((await patch('unknown', {})).status, 415);
    assert.equal((await patch('merge-patch', [])).status, 400);
  });

  test('server-side apply creates an object, reports each conflict as a cause, and takes ownership with force', async () => {
    const apply = (manager: string, value: string, force = '') =>
      client.send('PATCH', `${path}/applied?fieldManager=${manager}${force}`, {
        body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: {a: "${value}"}\n`,
        headers: applyPatch,
      });
    assert.equal((await apply('one', '1')).status, 201);
    const again = await apply('one', '1');
    assert.equal(again.status, 200);
    const conflict = await apply('two', '2');
    assert.equal(conflict.status, 409);
    assert.deepEqual(conflict.body.details.causes, [
      { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' },
    ]);
    assert.equal((await apply('two', '2', '&force=true')).body.data['a'], '2');
    const nameless = await client.send('PATCH', `${path}/applied`, { body: '{}', headers: applyPatch });
    assert.equal(nameless.body.details.causes[0]?.['field'], 'fieldManager');
  });

  test('all pages of a list show the state at the time of the first page', async () => {
    const paged = '/api/v1/namespaces/kube-node-lease/configmaps';
    for (const name of ['a', 'b', 'c']) await client.post(paged, configMap(name));
    const first = (await client.get(`${paged}?limit=2`)).body;
    await client.send('DELETE', `${paged}/c`);
    const rest = (await client.get(`${paged}?limit=9&continue=${String(first.metadata['continue'])}`)).body;
    assert.equal(rest.metadata.resourceVersion, first.metadata.resourceVersion);
    const names = [...first.items, ...rest.items].map(({ metadata }) => metadata.name);
    assert.deepEqual(
      names.filter((name) => name.length === 1),
      ['a', 'b', 'c'],
    );
  });

  test('the Accept header selects tables and partial metadata', async () => {
    await client.post(path, configMap('shown', { a: '1', b: '2' }, { show: 'yes' }));
    const table = (await client.get(`${path}?labelSelector=show`, as('Table'))).body;
    assert.equal(table['kind'], 'Table');
    assert.deepEqual(table.rows[0]?.cells.slice(0, 2), ['shown', 2]);
    const partial = (await client.get(`${path}/shown`, as('PartialObjectMetadata'))).body;
    assert.equal(partial['kind'], 'PartialObjectMetadata');
    assert.equal(partial.data, undefined);
  });

  test('the scale subresource reads and writes replicas', async () => {
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'x', image: 'x' }] } };
    const spec = { replicas: 1, selector: { matchLabels: { app: 'x' } }, template };
    await client.post(deployments, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec });
    const scaled = await client.send('PATCH', `${deployments}/x/scale`, {
      body: { spec: { replicas: 3 } },
      headers: mergePatch,
    });
    assert.equal(scaled.body['kind'], 'Scale');
    assert.deepEqual((await client.get(`${deployments}/x/scale`)).body['spec'], { replicas: 3 });
    assert.equal(((await client.get(`${deployments}/x`)).body['spec'] as typeof spec).replicas, 3);
  });

  test('deletecollection deletes the objects that the selector matches', async () => {
    await client.post(path, configMap('gone', {}, { sweep: 'me' }));
    const deleted = await client.send('DELETE', `${path}?labelSelector=sweep%3Dme`);
    assert.deepEqual(
      deleted.body.items.map(({ metadata }) => metadata.name),
      ['gone'],
    );
    assert.equal((await client.get(`${path}/gone`)).status, 404);
    assert.equal((await client.get(`${path}/shown`)).status, 200);
  });
});
