import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { ApiServer } from '../../server/api-server.js';
import { RawClient } from '../../server/raw-client.test.support.js';

const pods = '/api/v1/namespaces/default/pods';
const services = '/api/v1/namespaces/default/services';

interface Proxied {
  readonly server: ApiServer;
  readonly client: RawClient;
  readonly port: number;
}

/** Runs a server for a Pod at 127.0.0.1, and an API server with this Pod. */
async function proxied(handle: RequestListener, run: (proxied: Proxied) => Promise<void>): Promise<void> {
  const target = createServer(handle);
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
    await run({ server, client, port });
  } finally {
    target.close();
  }
}

/** Answers with the request that the target has received. */
const echo: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.writeHead(method === 'POST' ? 418 : 200, { 'content-type': 'application/json', 'x-target': 'yes' });
    response.end(
      JSON.stringify({ method, url, body, authorization: headers.authorization, type: headers['content-type'] }),
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
