import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Exec, type KubeConfig, Log } from '@kubernetes/client-node';
import type { Connection } from './connection.js';
import { kubeConfigOf } from './kube-config-of.js';

/** What a WebSocket of client-node is opened with. */
interface SocketOptions {
  readonly headers: Record<string, unknown>;
  readonly ca?: unknown;
  readonly cert?: unknown;
  readonly key?: unknown;
  readonly auth?: string;
}
const server = 'https://127.0.0.1:6443/base/';
const PEM = '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n';

async function socketOptions(config: KubeConfig): Promise<SocketOptions> {
  const options: SocketOptions = { headers: {} };
  await config.applyToHTTPSOptions(options);
  return options;
}

test('a KubeConfig has server, authority, name of the server, namespace and context of the connection', async () => {
  const connection: Connection = {
    server,
    ca: PEM,
    tlsServerName: 'kube',
    context: 'dev',
    namespace: 'team',
    token: 'abc',
  };
  const config = await kubeConfigOf(connection);
  const cluster = config.getCurrentCluster();
  assert.deepEqual([cluster?.server, cluster?.tlsServerName], ['https://127.0.0.1:6443/base', 'kube']);
  assert.equal(config.getCurrentContext(), 'dev');
  assert.equal(config.getContextObject('dev')?.namespace, 'team');
  const { ca, headers } = await socketOptions(config);
  assert.equal(String(ca), PEM);
  assert.equal(headers['Authorization'], 'Bearer abc');
});

test('a KubeConfig renews credentials before each request', async () => {
  let asked = 0;
  const changing: Connection = {
    server,
    credentials: { get: async () => ({ token: `t${++asked}` }), refused: () => undefined },
  };
  const functional: Connection = { server, token: async () => `t${++asked}` };
  for (const connection of [changing, functional]) {
    const config = await kubeConfigOf(connection);
    const [first, second] = [await socketOptions(config), await socketOptions(config)];
    assert.notEqual(first.headers['Authorization'], second.headers['Authorization']);
    assert.equal(second.headers['Authorization'], `Bearer t${asked}`);
    const { headers } = (await config.applyToFetchOptions({})) as unknown as { headers: Headers };
    assert.equal(headers.get('Authorization'), `Bearer t${asked}`);
  }
});

test('a KubeConfig has a client certificate, or a name and password', async () => {
  const certified = await socketOptions(await kubeConfigOf({ server, clientCertificate: { cert: PEM, key: 'key' } }));
  assert.deepEqual([String(certified.cert), String(certified.key)], [PEM, 'key']);
  const basic = await socketOptions(await kubeConfigOf({ server, basic: { username: 'jane', password: 'secret' } }));
  assert.equal(basic.auth, 'jane:secret');
});

test('a KubeConfig impersonates with groups in WebSockets, and refuses several groups elsewhere', async () => {
  const impersonate = { user: 'joe', groups: ['a', 'b'], extra: { 'example.com/Reason': ['test'] } };
  const config = await kubeConfigOf({ server, token: 'abc', impersonate });
  const { headers } = await socketOptions(config);
  assert.deepEqual(headers['impersonate-group'], ['a', 'b']);
  assert.deepEqual([headers['impersonate-user'], headers['impersonate-extra-example.com%2freason']], ['joe', ['test']]);
  await assert.rejects(async () => config.applyToFetchOptions({}), {
    code: 'NOT_SUPPORTED',
    message: /impersonate-group/,
  });
  const single = await kubeConfigOf({ server, impersonate: { user: 'joe', groups: ['a'] } });
  const fetched = (await single.applyToFetchOptions({})) as unknown as { headers: Headers };
  assert.equal(fetched.headers.get('impersonate-group'), 'a');
});

test("client-node's Exec and Log work with a KubeConfig", async () => {
  const requests: string[] = [];
  const note = ({ url, headers }: IncomingMessage): void => void requests.push(`${headers.authorization} ${url}`);
  const api = createServer((request, response) => {
    note(request);
    response.end('a line of a log\n');
  });
  api.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    note(request);
    const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${magic}`).digest('base64');
    const protocol = String(request.headers['sec-websocket-protocol']).split(',')[0];
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    );
    // One message of the channel of the standard output, and the end.
    socket.end(Buffer.concat([Buffer.from([0x82, 3, 1]), Buffer.from('ok'), Buffer.from([0x88, 0])]));
  });
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
  try {
    const { port } = api.address() as AddressInfo;
    const config = await kubeConfigOf({ server: `http://127.0.0.1:${port}`, token: 'abc' });
    const [output, lines] = [new PassThrough(), new PassThrough()];
    const socket = await new Exec(config).exec('default', 'web', 'main', ['ls'], output, null, null, false);
    assert.equal(String(await once(output, 'data')), 'ok');
    socket.close();
    await new Log(config).log('default', 'web', 'main', lines);
    assert.equal(String(await once(lines, 'data')), 'a line of a log\n');
    assert.match(requests[0] ?? '', /^Bearer abc \/api\/v1\/namespaces\/default\/pods\/web\/exec\?.*command=ls/);
    assert.match(requests[1] ?? '', /^Bearer abc \/api\/v1\/namespaces\/default\/pods\/web\/log\?container=main/);
  } finally {
    api.closeAllConnections();
    api.close();
  }
});
