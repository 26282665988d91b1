import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, test } from 'node:test';
import { ApiServer } from '../../server/api-server.js';
import { RawClient } from '../../server/raw-client.test.support.js';

const pods = '/api/v1/namespaces/default/pods';
const services = '/api/v1/namespaces/default/services';

interface Proxied {
  readonly server: ApiServer;
  readonly client: RawClient;
  readonly port: number;
  readonly target: Server;
}

/** Runs a server for a Pod at 127.0.0.1, and an API server with this Pod. */
async function proxied(handle: RequestListener, run: (proxied: Proxied) => Promise<void>): Promise<void> {
  const target = createServer(handle);
  target.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const lines = [`url: ${request.url}`, `authorized: ${'authorization' in request.headers}`];
    const start = request.url?.startsWith('/refuse')
      ? ['HTTP/1.1 409 Conflict', 'content-length: 7', 'connection: close', '', 'refused']
      : ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', 'upgrade: shout', ...lines, '', 'ready\n'];
    socket.write(start.join('\r\n'));
    socket.unshift(head);
    socket.on('data', (data: Buffer) => {
      const text = data.toString();
      if (text.includes('end')) socket.end(`${text.toUpperCase()}${'x'.repeat(200_000)}`);
      else socket.write(text.toUpperCase());
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as AddressInfo;
  try {
    await using server = await ApiServer.start();
    const client = new RawClient(server);
    const containers = [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: port }] }];
    const metadata = { name: 'web', labels: { app: 'web' } };
    await client.post(pods, { metadata, spec: { containers } });
    await client.send('PATCH', `${pods}/web/status`, {
      body: {
        status: {
          phase: 'Running',
          podIP: '127.0.0.1',
          podIPs: [{ ip: '127.0.0.1' }],
          conditions: [{ type: 'Ready', status: 'True' }],
        },
      },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    await run({ server, client, port, target });
  } finally {
    target.close();
  }
}

/** Requests another protocol, and returns the response with the connection, if the server has changed its protocol. */
function upgraded(server: ApiServer, path: string): Promise<{ response: IncomingMessage; socket?: Duplex }> {
  const authorization = `Bearer ${server.token}`;
  const headers = { authorization, connection: 'Upgrade', upgrade: 'shout' };
  const call = httpsRequest(`${server.url}${path}`, { ca: server.certificateAuthority, agent: false, headers });
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response) => resolve({ response }));
    call.on('upgrade', (response, socket, head) => {
      socket.unshift(head);
      resolve({ response, socket });
    });
    call.end();
  });
}

/** Reads from a connection until the received text ends with `end`, or until the connection ends. */
function textUntil(socket: Duplex, end?: string): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    const finish = (): void => {
      socket.off('data', add).off('end', finish);
      resolve(text);
    };
    const add = (data: Buffer): void => {
      text += data.toString();
      if (end !== undefined && text.endsWith(end)) finish();
    };
    socket.on('data', add).on('end', finish);
  });
}

/** Answers with the request that the target has received. */
const echo: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.writeHead(method === 'POST' ? 418 : 200, { 'content-type': 'application/json', 'x-target': 'yes' });
    response.end(
      JSON.stringify({
        method,
        url,
        body,
        authorization: headers.authorization,
        type: headers['content-type'],
        encoding: headers['content-encoding'],
      }),
    );
  });
};

describe('the proxy to a Pod', () => {
  test('forwards the method, path, query, headers and body, without the credentials', () =>
    proxied(echo, async ({ client, port }) => {
      const headers = { 'content-type': 'text/plain' };
      const sent = await client.send('POST', `${pods}/web:${port}/proxy/a%20b/?x=1&y`, { body: 'text', headers });
      assert.equal(sent.status, 418);
      assert.equal(sent.headers['x-target'], 'yes');
      const { method, url, type, authorization } = sent.body;
      assert.deepEqual(
        { method, url, type, authorization },
        {
          method: 'POST',
          url: '/a%20b/?x=1&y=',
          type: 'text/plain',
          authorization: undefined,
        },
      );
      for (const verb of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await client.send(verb, `${pods}/web/proxy/x`, {});
        assert.equal(answer.body['method'], verb);
      }
    }));

  test('redirects a path without a slash', () =>
    proxied(echo, async ({ client }) => {
      const answer = await client.get(`${pods}/web/proxy?x=1`);
      assert.equal(answer.status, 301);
      assert.equal(answer.headers['location'], `${pods}/web/proxy/?x=1`);
    }));

  test('streams a response of any size', () =>
    proxied(
      (_request, response) => {
        const piece = Buffer.alloc(64 * 1024, 'x');
        for (let at = 0; at < 64; at += 1) response.write(piece);
        response.end('end');
      },
      async ({ client }) => {
        const { text } = await client.get(`${pods}/web/proxy/`);
        assert.equal(text.length, 64 * 64 * 1024 + 3);
        assert.ok(text.endsWith('end'));
      },
    ));

  test('returns 503 if the Pod does not accept the connection', () =>
    proxied(echo, async ({ client }) => {
      const { status, body } = await client.get(`${pods}/web:1/proxy/`);
      assert.equal(status, 503);
      assert.equal(body['reason'], 'ServiceUnavailable');
      assert.equal(body['message'], 'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused');
    }));

  test('returns 503 for a port that does not exist', () =>
    proxied(echo, async ({ client }) => {
      const faults = { abc: 'lookup tcp/abc: unknown port', 65536: 'address 65536: invalid port' };
      for (const [port, fault] of Object.entries(faults)) {
        const { status, body } = await client.get(`${pods}/web:${port}/proxy/`);
        assert.deepEqual([status, body['message']], [503, `error trying to reach service: dial tcp: ${fault}`]);
      }
    }));

  test('forwards the encoded path of the request in a header', () =>
    proxied(
      (request, response) => response.end(JSON.stringify([request.url, request.headers['x-forwarded-uri']])),
      async ({ client }) => {
        const path = '/%E6%97%A5%0D%0A/a%20b%25';
        const { body } = await client.get(`${pods}/web/proxy${path}`);
        assert.deepEqual(body, [path, `${pods}/web/proxy${path}`]);
      },
    ));

  test('forwards each cookie of a response in its own header', () =>
    proxied(
      (_request, response) => response.setHeader('set-cookie', ['a=1', 'b=2']).end(),
      async ({ client }) => {
        const { headers } = await client.get(`${pods}/web/proxy/`);
        assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2']);
      },
    ));

  test('returns 503 if the target changes the protocol without a request', () =>
    proxied(echo, async ({ client, target }) => {
      let closed: Promise<unknown> = Promise.resolve();
      target.prependListener('request', ({ socket }: IncomingMessage) => {
        closed = once(socket, 'close');
        socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: shout\r\n\r\n');
      });
      const { status, body } = await client.get(`${pods}/web/proxy/`);
      const fault = 'backend tried to switch protocol "shout" when "" was requested';
      assert.deepEqual([status, body['message']], [503, `error trying to reach service: ${fault}`]);
      await closed;
    }));

  test('forwards the bytes of both directions after a change of the protocol', () =>
    proxied(echo, async ({ server }) => {
      const { response, socket } = await upgraded(server, `${pods}/web/proxy/a?x=1`);
      assert.ok(socket);
      const { url, upgrade, authorized } = response.headers;
      assert.deepEqual([response.statusCode, url, upgrade, authorized], [101, '/a?x=1', 'shout', 'false']);
      assert.equal(await textUntil(socket, '\n'), 'ready\n');
      socket.write('hello\n');
      assert.equal(await textUntil(socket, '\n'), 'HELLO\n');
      socket.write('end\n');
      const rest = await textUntil(socket);
      assert.equal(rest.length, 'END\n'.length + 200_000);
      socket.destroy();
    }));

  test('forwards a response that refuses to change the protocol', () =>
    proxied(echo, async ({ server }) => {
      const { response, socket } = await upgraded(server, `${pods}/web/proxy/refuse`);
      assert.equal(socket, undefined);
      assert.equal(response.statusCode, 409);
      assert.equal(await response.setEncoding('utf8').reduce((all: string, text: string) => all + text, ''), 'refused');
    }));

  test('closes the connection to the target with the connection of the client', async () => {
    let ended: Promise<unknown> = Promise.resolve();
    const handle: RequestListener = (request, response) => response.end();
    await proxied(handle, async ({ server, target }) => {
      target.on('upgrade', (_request, socket: Duplex) => {
        ended = once(socket, 'end');
      });
      const { socket } = await upgraded(server, `${pods}/web/proxy`);
      assert.ok(socket);
      assert.equal(await textUntil(socket, '\n'), 'ready\n');
      socket.destroy();
      await ended;
    });
  });

  test('decompresses a body, and forwards question marks in a path', () =>
    proxied(echo, async ({ client }) => {
      const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' };
      const { body } = await client.send('POST', `${pods}/web/proxy/a%3Fb%23c`, { body: gzipSync('text'), headers });
      assert.deepEqual([body['url'], body['body'], body['encoding']], ['/a%3Fb%23c', 'text', undefined]);
    }));

  test('requires the permission for the subresource proxy', () =>
    proxied(echo, async ({ client }) => {
      const headers = { 'impersonate-user': 'nobody' };
      const { status, body } = await client.get(`${pods}/web/proxy/`, headers);
      assert.equal(status, 403);
      assert.match(String(body['message']), /cannot get resource "pods\/proxy"/);
    }));
});

describe('the proxy to a Service', () => {
  test('selects the endpoint of the named or numbered port', () =>
    proxied(echo, async ({ client, server, port }) => {
      const ports = [{ name: 'http', port: 80, targetPort: 'web' }];
      await client.post(services, { metadata: { name: 'web' }, spec: { ports } });
      const targetRef = { kind: 'Pod', namespace: 'default', name: 'web' };
      const subsets = [{ addresses: [{ ip: '127.0.0.1', targetRef }], ports: [{ name: 'http', port }] }];
      // Clients cannot write Endpoints with a loopback address.
      server.store.create('/endpoints', {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'web', namespace: 'default', uid: 'u' },
        subsets,
      });
      for (const name of ['web:http', 'web:80', 'http:web:80']) {
        const { body } = await client.get(`${services}/${name}/proxy/a`);
        assert.equal(body['url'], '/a', name);
      }
      const { status, body } = await client.get(`${services}/web:81/proxy/`);
      assert.deepEqual([status, body['message']], [503, 'no service port 81 found for service "web"']);
    }));
});
