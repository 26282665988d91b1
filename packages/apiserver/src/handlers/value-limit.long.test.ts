import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countValues } from '@kubewright/api/json';
import { ApiServer } from '../server/api-server.js';
import { configMap, RawClient } from '../server/raw-client.test.support.js';

const namespace = '/api/v1/namespaces/default';
const path = `${namespace}/configmaps`;
const message = 'Request entity too large: limit is 65536 values';
const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
const many = keys(70_000);
const type = (contentType: string) => ({ 'content-type': contentType });
const jsonPatch = type('application/json-patch+json');
const mergePatch = type('application/merge-patch+json');

describe('the limit of JSON values', () => {
  let server: ApiServer;
  let client: RawClient;
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'a', image: 'a' }] },
  };
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 1 } };
  const template = { metadata: { labels: { a: 'b' } }, spec: pod.spec };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
  };

  before(async () => {
    server = await ApiServer.start();
    client = new RawClient(server);
    await client.post(path, configMap('small', { a: 'b' }));
    await client.post(`${namespace}/pods`, pod);
    await client.post('/apis/apps/v1/namespaces/default/deployments', deployment);
  });
  after(() => server.stop());

  const small = `${path}/small`;
  const applied = `${small}?fieldManager=a&force=true`;
  const text = (object: object): string => JSON.stringify({ ...object, ...many });
  const virtual = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const requests: readonly (readonly [what: string, method: string, to: string, body: string, type?: string])[] = [
    ['create', 'POST', path, text(configMap('big'))],
    ['update', 'PUT', small, text(configMap('small'))],
    ['merge patch', 'PATCH', small, text({}), 'application/merge-patch+json'],
    ['strategic merge patch', 'PATCH', small, text({}), 'application/strategic-merge-patch+json'],
    ['JSON patch', 'PATCH', small, JSON.stringify(Array.from(Object.keys(many))), 'application/json-patch+json'],
    ['apply in JSON', 'PATCH', applied, text(configMap('small')), 'application/apply-patch+yaml'],
    ['apply in YAML', 'PATCH', applied, `a:\n${'- 1\n'.repeat(70_000)}`, 'application/apply-patch+yaml'],
    ['YAML with aliases', 'POST', path, `a: &a [${'1,'.repeat(5000)}]\nb: [${'*a,'.repeat(20)}]`, 'application/yaml'],
    ['delete options', 'DELETE', small, text({ apiVersion: 'v1', kind: 'DeleteOptions' })],
    ['delete options of a collection', 'DELETE', path, text({ apiVersion: 'v1', kind: 'DeleteOptions' })],
    ['scale', 'PUT', '/apis/apps/v1/namespaces/default/deployments/d/scale', text(scale)],
    ['eviction', 'POST', `${namespace}/pods/p/eviction`, text({ apiVersion: 'policy/v1', kind: 'Eviction' })],
    ['binding', 'POST', `${namespace}/pods/p/binding`, text({ apiVersion: 'v1', kind: 'Binding' })],
    ['token request', 'POST', `${namespace}/serviceaccounts/default/token`, text({ kind: 'TokenRequest' })],
    ['access review', 'POST', virtual, text({ kind: 'SelfSubjectAccessReview' })],
  ];

  for (const [what, method, to, body, contentType = 'application/json'] of requests) {
    test(`rejects a body with too many values: ${what}`, async () => {
      const answer = await client.send(method, to, {
        body,
        headers: { ...type(contentType), 'content-length': String(Buffer.byteLength(body)) },
      });
      assert.equal(answer.status, 413, JSON.stringify(answer.body));
      assert.deepEqual([answer.body['reason'], answer.body['message']], ['RequestEntityTooLarge', message]);
    });
  }

  test('rejects a text that is not JSON with 400, regardless of its number of values', async () => {
    for (const body of [`[${'1,'.repeat(70_000)}]`, `[${'1,'.repeat(70_000)}1`, '['.repeat(70_000)]) {
      assert.equal((await client.send('POST', path, { body, headers: type('application/json') })).status, 400);
      assert.equal((await client.send('PATCH', small, { body, headers: mergePatch })).status, 400);
    }
  });

  test('rejects an object whose values and managed fields together exceed the limit', async () => {
    for (const query of ['', '?dryRun=All']) {
      const answer = await client.post(`${path}${query}`, configMap('managed', keys(40_000)));
      assert.equal(answer.status, 413);
      assert.equal(answer.body['message'], message);
    }
  });

  test('rejects the result of a patch that has too many values', async () => {
    await client.post(path, configMap('half', keys(20_000)));
    const other = Object.fromEntries(Object.keys(keys(50_000)).map((key) => [`other-${key}`, 'v']));
    const merged = await client.send('PATCH', `${path}/half`, { body: { data: other }, headers: mergePatch });
    assert.equal(merged.status, 413);
    const copies = Array.from({ length: 4 }, (_, at) => ({ op: 'copy', from: '/data', path: `/metadata/copy${at}` }));
    const copied = await client.send('PATCH', `${path}/half`, { body: copies, headers: jsonPatch });
    assert.equal(copied.status, 413);
    assert.equal(copied.body['message'], message);
  });

  test('stops a JSON patch at a copy operation whose result is nested too deeply', async () => {
    const nest = Array.from({ length: 600 }).reduce<object>((inner) => ({ a: inner }), {});
    const body = [
      { op: 'add', path: '/x', value: nest },
      { op: 'copy', from: '/x', path: `/x${'/a'.repeat(600)}/a` },
      { op: 'copy', from: '/x', path: '/y' },
    ];
    const answer = await client.send('PATCH', small, { body, headers: jsonPatch });
    assert.equal(answer.status, 400);
    assert.match(String(answer.body['message']), /exceeded max depth/);
  });

  test('an object with the maximum number of values can be updated and deleted', async () => {
    const metadata = { name: 'full', finalizers: ['a.b/c'] };
    const create = (count: number, query = '') =>
      client.post(`${path}${query}`, { ...configMap('full', keys(count)), metadata });
    // Each key adds one value to data and one value to managedFields.
    const others = countValues((await create(1, '?dryRun=All')).body) - 2;
    const most = Math.floor((65_536 - 17 - others) / 2);
    assert.equal((await create(most + 1)).status, 413);
    assert.equal((await create(most)).status, 201);
    const read = await client.get(`${path}/full`);
    assert.equal((await client.send('PUT', `${path}/full`, { body: read.body })).status, 200);
    const deleted = await client.send('DELETE', `${path}/full?propagationPolicy=Foreground`);
    assert.equal(deleted.status, 200);
    let marked = await client.get(`${path}/full`);
    // The garbage collector removes the finalizer `foregroundDeletion` in several turns. Until then, an update can conflict with this
    // removal.
    while (String(marked.body.metadata['finalizers']) !== 'a.b/c') marked = await client.get(`${path}/full`);
    assert.ok(marked.body.metadata['deletionTimestamp']);
    assert.equal((await client.send('PUT', `${path}/full`, { body: marked.body })).status, 200);
    const body = { ...marked.body, metadata: { ...marked.body.metadata, finalizers: [] } };
    assert.equal((await client.send('PUT', `${path}/full`, { body })).status, 200);
    assert.equal((await client.get(`${path}/full`)).status, 404);
  });
});
