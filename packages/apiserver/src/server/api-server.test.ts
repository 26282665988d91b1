import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ApiServer } from './api-server.js';
import { configMap, RawClient } from './raw-client.test.support.js';

describe('an embedded API server', () => {
  let server: ApiServer;
  let client: RawClient;
  before(async () => {
    server = await ApiServer.start();
    client = new RawClient(server);
  });
  after(() => server.stop());

  test('a second server in the same process starts with less than 300 ms of CPU time', async () => {
    const before = process.cpuUsage();
    await using second = await ApiServer.start();
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 300_000);
    assert.notEqual(second.token, server.token);
  });

  test('rejects objects beyond storageQuotaBytes, with and without a data folder', async () => {
    const data = await mkdtemp(join(tmpdir(), 'kubewright-quota-'));
    for (const options of [{}, { data }]) {
      await using full = await ApiServer.start({ ...options, storageQuotaBytes: 1_000_000 });
      const limited = new RawClient(full);
      const path = '/api/v1/namespaces/default/configmaps';
      assert.equal((await limited.post(path, configMap('a', { k: 'v' }))).status, 201);
      const { status, text } = await limited.post(path, configMap('b', { k: 'x'.repeat(600_000) }));
      assert.equal(status, 500);
      assert.match(text, /etcdserver: mvcc: database space exceeded/);
    }
    await rm(data, { recursive: true });
    await assert.rejects(ApiServer.start({ storageQuotaBytes: 0 }), { code: 'INVALID_OPTION' });
  });

  test('serves HTTP/2 on the same port', async () => {
    const session = connect(server.url, { ca: server.certificateAuthority });
    const stream = session.request({ ':path': '/api/v1/namespaces/default', authorization: `Bearer ${server.token}` });
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    assert.equal(session.alpnProtocol, 'h2');
    assert.equal(JSON.parse(text).metadata.name, 'default');
    session.destroy();
  });

  test('returns 401 for a wrong token and 403 without a token, and serves version and health to everyone', async () => {
    const stranger = await new RawClient(server, { token: 'wrong' }).get('/api/v1/namespaces');
    assert.deepEqual([stranger.status, stranger.body['reason']], [401, 'Unauthorized']);
    const anonymous = new RawClient(server, { token: undefined });
    const refused = await anonymous.get('/api/v1/namespaces');
    assert.equal(refused.status, 403);
    assert.match(String(refused.body['message']), /User "system:anonymous" cannot list resource "namespaces"/);
    for (const path of ['/healthz', '/livez', '/readyz']) assert.equal((await anonymous.get(path)).text, 'ok');
    assert.match(String((await anonymous.get('/version')).body['gitVersion']), /^v1\.36/);
  });

  test('writes a kubeconfig that only its owner can read, even if the file already exists with another mode', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-'));
    const path = join(folder, 'kubeconfig');
    await writeFile(path, 'old', { mode: 0o644 });
    await server.writeKubeconfig(path);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.match(await readFile(path, 'utf8'), new RegExp(`server: ${server.url}`));
    await rm(folder, { recursive: true });
  });

  test('reports a port in use in one line', async () => {
    await assert.rejects(ApiServer.start({ port: server.port }), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'PORT_IN_USE');
      assert.match(error.message, new RegExp(`^cannot serve on 127.0.0.1:${server.port}: the port is in use[^\\n]*$`));
      return true;
    });
  });

  test('an embedded API server closes every connection when it stops', async () => {
    const stopping = await ApiServer.start();
    const watch = new RawClient(stopping).watch(
      '/api/v1/configmaps?watch=1&allowWatchBookmarks=1&resourceVersionMatch=NotOlderThan&sendInitialEvents=true',
    );
    await watch.next();
    await stopping.stop();
    await assert.rejects(async () => {
      for await (const event of watch) assert.fail(`got ${event.type}`);
    });
  });

  test('returns the Status of a real server for malformed requests', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const cases: readonly [number, string, Promise<{ status: number; body: { [key: string]: unknown } }>][] = [
      [400, 'BadRequest', client.post(path, '{"kind":')],
      [413, 'RequestEntityTooLarge', client.post(path, 'x'.repeat(3 * 1024 * 1024 + 1))],
      [415, 'UnsupportedMediaType', client.send('POST', path, { body: 'x', headers: { 'content-type': 'text/css' } })],
      [406, 'NotAcceptable', client.get(path, { accept: 'text/css' })],
      [404, 'NotFound', client.get('/api/v1/nothing')],
      [404, 'NotFound', client.get(`${path}/nothing`)],
      [405, 'MethodNotAllowed', client.send('POST', `${path}/name`, { body: configMap('name') })],
      [400, 'BadRequest', client.get(`${path}?labelSelector=${encodeURIComponent('a in')}`)],
      [400, 'BadRequest', client.get(`${path}?continue=broken`)],
      [422, 'Invalid', client.get(`${path}?resourceVersionMatch=Exact`)],
      [422, 'Invalid', client.send('POST', `${path}?dryRun=Some`, { body: configMap('a') })],
    ];
    for (const [status, reason, answer] of cases) {
      const got = await answer;
      assert.equal(got.status, status);
      assert.equal(got.body['kind'], 'Status');
      assert.equal(got.body['status'], 'Failure');
      assert.equal(got.body['reason'], reason);
      assert.equal(got.body['code'], status);
    }
    const unknown = await client.get('/nothing');
    assert.equal(unknown.status, 404);
    assert.equal(unknown.text, '404 page not found\n');
  });

  test('compresses long lists if the client accepts gzip', async () => {
    for (let index = 0; index < 60; index += 1) {
      await client.post(
        '/api/v1/namespaces/kube-public/configmaps',
        configMap(`big-${index}`, { text: 'x'.repeat(4000) }),
      );
    }
    const { headers, text } = await client.get('/api/v1/namespaces/kube-public/configmaps', {
      'accept-encoding': 'gzip',
    });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.ok(text.length < 60_000);
    const plain = await client.get('/api/v1/namespaces/kube-public/configmaps');
    assert.equal(plain.body.items.filter(({ metadata }) => metadata.name.startsWith('big-')).length, 60);
  });
});
