import assert from 'node:assert/strict';
import { type ClientHttp2Session, connect } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { ApiServer } from './api-server.js';
import { configMap, RawClient } from './raw-client.test.support.js';

const path = '/api/v1/namespaces/default/configmaps';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Headers of the connection, and headers that contain the time. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', 'content-length', ':status']);

function comparable(headers: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));
}

describe('HTTP/1.1 and HTTP/2', () => {
  let server: ApiServer;
  let session: ClientHttp2Session;

  before(async () => {
    server = await ApiServer.start();
    session = connect(server.url, { ca: server.certificateAuthority });
    const client = new RawClient(server);
    await client.post(path, configMap('a', { k: 'v' }, { app: 'x' }));
    await client.post(path, configMap('large', { k: 'x'.repeat(200_000) }));
  });
  after(async () => {
    session.close();
    await server.stop();
  });

  async function overHttp2(
    method: string,
    target: string,
    options: { body?: unknown; headers?: object },
  ): Promise<Answer> {
    const { body, headers = {} } = options;
    const stream = session.request({
      ':method': method,
      ':path': target,
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      ...headers,
    });
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const answered = await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
      stream.once('response', resolve);
      stream.once('error', reject);
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const packed = Buffer.concat(chunks);
    const text = (answered['content-encoding'] === 'gzip' ? gunzipSync(packed) : packed).toString();
    return { status: Number(answered[':status']), headers: comparable(answered), text };
  }

  async function overHttp1(
    method: string,
    target: string,
    options: { body?: unknown; headers?: Readonly<Record<string, string>> },
  ): Promise<Omit<Answer, 'text'> & { readonly text: string | undefined }> {
    const { status, headers, text } = await new RawClient(server).send(method, target, options);
    // The client does not decompress bodies.
    return { status, headers: comparable(headers), text: headers['content-encoding'] === 'gzip' ? undefined : text };
  }

  const requests: Readonly<
    Record<
      string,
      readonly [method: string, path: string, { body?: unknown; headers?: Readonly<Record<string, string>> }?]
    >
  > = {
    'an object': ['GET', `${path}/a`],
    'a list': ['GET', `${path}?labelSelector=app`],
    'a table': [
      'GET',
      `${path}?labelSelector=none`,
      { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } },
    ],
    'a large object': ['GET', `${path}/large`],
    'a large object with gzip': ['GET', `${path}/large`, { headers: { 'accept-encoding': 'gzip' } }],
    'an object that does not exist': ['GET', `${path}/none`],
    'an unknown path': ['GET', '/nothing'],
    'a plain text': ['GET', '/healthz'],
    'a rejection with warnings': ['POST', path, { body: { metadata: { name: 'A_' }, nope: 1 } }],
    'warnings with non-ASCII characters': [
      'POST',
      `${path}?dryRun=All`,
      { body: { metadata: { name: 'A_' }, größe: 1 } },
    ],
    'a patch of an unknown type': ['PATCH', `${path}/a`, { body: {} }],
    'an unsupported method': ['PUT', path, { body: {} }],
    'a watch that ends at its timeout': ['GET', `${path}?watch=1&timeoutSeconds=1&labelSelector=app`],
  };
  for (const [what, [method, target, options = {}]] of Object.entries(requests)) {
    test(`HTTP/1.1 and HTTP/2 return the same response: ${what}`, async () => {
      const first = await overHttp1(method, target, options);
      const second = await overHttp2(method, target, options);
      assert.deepEqual({ ...second, text: first.text ?? second.text }, { ...first, text: first.text ?? second.text });
    });
  }

  test('a compressed object decompresses to the same object', async () => {
    const plain = await overHttp2('GET', `${path}/large`, {});
    const packed = await overHttp2('GET', `${path}/large`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(packed.text, plain.text);
  });

  test('responses start with the type of the object and end with a newline', async () => {
    const client = new RawClient(server);
    for (const target of [
      `${path}/a`,
      path,
      `${path}/missing`,
      '/api/v1/namespaces/default',
      '/apis',
      '/apis/apps/v1',
    ]) {
      assert.match((await client.get(target)).text, /^\{"kind":"[^]*\}\n$/, target);
    }
    const created = await client.post(`${path}?dryRun=All`, configMap('b'));
    assert.match(created.text, /^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{[^]*\}\n$/);
    assert.match((await client.get('/version')).text, /\}$/);
    const [event] = await client.eventsUntil(`${path}?watch=1&resourceVersion=0`, () => true);
    assert.deepEqual(Object.keys(event?.object ?? {}).slice(0, 3), ['kind', 'apiVersion', 'metadata']);
  });

  test('a connection accepts a large body right after requests for large responses', async () => {
    const body = JSON.stringify(configMap('after', { k: 'x'.repeat(200_000) }));
    const head = (line: string): string =>
      `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.token}\r\n`;
    const type = 'content-type: application/json\r\nconnection: close\r\n';
    const { port } = new URL(server.url);
    const socket = connectTls({ host: '127.0.0.1', port: Number(port), ca: server.certificateAuthority });
    socket.write(`${head(`GET ${path}/large`)}\r\n`.repeat(20));
    socket.write(`${head(`POST ${path}`)}${type}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), [...Array<string>(20).fill('HTTP/1.1 200'), 'HTTP/1.1 201']);
  });
});
