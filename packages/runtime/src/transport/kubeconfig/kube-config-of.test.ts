import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Attach, Exec, type KubeConfig, Log, PortForward } from '@kubernetes/client-node';
import { ChannelServer } from '../../test-support/channel-server.js';
import type { Connection } from '../connection/connection.js';
import { kubeConfigOf } from './kube-config-of.js';

/** The options that client-node passes when it opens a WebSocket. */
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

test('a KubeConfig contains the server, CA, server name, namespace and context of the connection', async () => {
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
  let requested = 0;
  const changing: Connection = {
    server,
    credentials: { get: async () => ({ token: `t${++requested}` }), refused: () => undefined },
  };
  const functional: Connection = { server, token: async () => `t${++requested}` };
  for (const connection of [changing, functional]) {
    const config = await kubeConfigOf(connection);
    const [first, second] = [await socketOptions(config), await socketOptions(config)];
    assert.notEqual(first.headers['Authorization'], second.headers['Authorization']);
    assert.equal(second.headers['Authorization'], `Bearer t${requested}`);
    const { headers } = (await config.applyToFetchOptions({})) as unknown as { headers: Headers };
    assert.equal(headers.get('Authorization'), `Bearer t${requested}`);
  }
});

test('a KubeConfig contains the client certificate, or the username and password', async () => {
  const certified = await socketOptions(await kubeConfigOf({ server, clientCertificate: { cert: PEM, key: 'key' } }));
  assert.deepEqual([String(certified.cert), String(certified.key)], [PEM, 'key']);
  const basic = await socketOptions(await kubeConfigOf({ server, basic: { username: 'jane', password: 'secret' } }));
  assert.equal(basic.auth, 'jane:secret');
});

test('a KubeConfig prefers credentials like the transport: a token, then a password, then changing credentials', async () => {
  const basic = { username: 'jane', password: 'secret' };
  const credentials = { get: () => ({ token: 'changing' }), refused: () => undefined };
  const both = await socketOptions(await kubeConfigOf({ server, basic, token: 'abc', credentials }));
  assert.deepEqual([both.headers['Authorization'], both.auth], ['Bearer abc', undefined]);
  for (const token of [undefined, '', async () => undefined]) {
    const options = await socketOptions(
      await kubeConfigOf({ server, basic, credentials, ...(token !== undefined && { token }) }),
    );
    assert.deepEqual([options.headers['Authorization'], options.auth], [undefined, 'jane:secret']);
  }
  const changing = await socketOptions(await kubeConfigOf({ server, token: '', credentials }));
  assert.equal(changing.headers['Authorization'], 'Bearer changing');
});

test('a KubeConfig impersonates several groups in WebSockets, and throws for several groups in fetch requests', async () => {
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

const config = async ({ url }: ChannelServer): Promise<KubeConfig> => kubeConfigOf({ server: url, token: 'abc' });
const nextText = async (stream: PassThrough): Promise<string> => String((await once(stream, 'data'))[0]);

test("client-node's Exec and Log work with a KubeConfig", async () => {
  await using api = await ChannelServer.start();
  api.on((socket) => {
    socket.send(1, 'ok');
    socket.close();
  });
  const [output, lines] = [new PassThrough(), new PassThrough()];
  const exec = new Exec(await config(api));
  const socket = await exec.exec('default', 'web', 'main', ['ls'], output, null, null, false);
  assert.equal(await nextText(output), 'ok');
  socket.close();
  await new Log(await config(api)).log('default', 'web', 'main', lines);
  assert.equal(await nextText(lines), 'a line of a log\n');
  assert.match(api.requests[0] ?? '', /^Bearer abc \/api\/v1\/namespaces\/default\/pods\/web\/exec\?.*command=ls/);
  assert.match(api.requests[1] ?? '', /^Bearer abc \/api\/v1\/namespaces\/default\/pods\/web\/log\?container=main/);
});

test("client-node's Attach works with a KubeConfig, in both directions", async () => {
  await using api = await ChannelServer.start();
  // The container copies each line of its standard input to its standard error.
  api.on(
    (socket) => socket.send(1, 'ready'),
    ({ channel, text }, socket) => socket.send(2, `${channel}: ${text}`),
  );
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const attach = new Attach(await config(api));
  const socket = await attach.attach('default', 'web', 'main', output, errors, input, false);
  assert.equal(await nextText(output), 'ready');
  input.write('reload');
  assert.equal(await nextText(errors), '0: reload');
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  socket.close();
  await closed;
  assert.match(
    api.requests[0] ?? '',
    /^Bearer abc \/api\/v1\/namespaces\/default\/pods\/web\/attach\?container=main&stderr=true&stdin=true&stdout=true/,
  );
});

test("client-node's PortForward works with a KubeConfig, in both directions", async () => {
  await using api = await ChannelServer.start();
  const port = Uint8Array.from([8080 & 0xff, 8080 >> 8]);
  // Each channel starts with the port number, followed by the output of the program in the Pod.
  api.on(
    (socket) => {
      socket.send(0, port);
      socket.send(1, port);
    },
    ({ channel, text }, socket) => {
      socket.send(0, `${channel}: ${text}`);
      socket.send(1, 'a warning');
    },
  );
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const forward = new PortForward(await config(api));
  const socket = await forward.portForward('default', 'web', [8080], output, errors, input);
  input.write('GET /');
  const texts = new Set<string>();
  // client-node removes the port number from the data, and then writes an empty chunk.
  output.on('data', (chunk: Buffer) => texts.add(String(chunk)));
  assert.equal(await nextText(errors), 'a warning');
  assert.deepEqual([...texts], ['0: GET /']);
  assert.ok(typeof socket !== 'function');
  socket?.close();
  assert.match(
    api.requests[0] ?? '',
    /^Bearer abc \/api\/v1\/namespaces\/default\/pods\/web\/portforward\?ports=8080$/,
  );
});
