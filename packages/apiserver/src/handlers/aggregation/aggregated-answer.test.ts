import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { RawClient } from '../../server/raw-client.test.support.js';
import {
  aggregated,
  apiServices,
  clientSubject,
  group,
  type Handle,
  root,
  sendJson,
} from '../../server/extension-server.test.support.js';

const animals = `${root}/namespaces/default/animals`;

/** Answers with the request that the extension API server has received. */
const echo: Handle = (request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.statusCode = method === 'POST' ? 201 : 200;
    sendJson(response, { method, url, body, headers, client: clientSubject(request) });
  });
};

describe('an aggregated API server', () => {
  test('receives the request with its user and the certificate of the front proxy', () =>
    aggregated(echo, async ({ client, port, until }) => {
      await until('Passed');
      const headers = {
        'x-remote-user': 'forged',
        'x-remote-extra-scopes': 'forged',
        'impersonate-user': 'jane',
        'impersonate-group': 'system:masters',
        'impersonate-extra-a%2fb': 'c',
      };
      const { status, body } = await client.send('POST', `${animals}?dryRun=All`, {
        body: { kind: 'Animal' },
        headers,
      });
      assert.equal(status, 201);
      const received = body['headers'] as Readonly<Record<string, string>>;
      const { method, url, client: name } = body;
      assert.deepEqual(
        [method, url, body['body'], name],
        ['POST', `${animals}?dryRun=All`, '{"kind":"Animal"}', 'CN=front-proxy-client'],
      );
      assert.equal(received['x-remote-user'], 'jane');
      assert.equal(received['x-remote-group'], 'system:masters, system:authenticated');
      assert.equal(received['x-remote-extra-a%2fb'], 'c');
      assert.equal(received['host'], `zoo.default.svc:${port}`);
      for (const absent of ['authorization', 'impersonate-user', 'x-remote-extra-scopes']) {
        assert.equal(received[absent], undefined, absent);
      }
    }));

  test('receives only authorized requests', () =>
    aggregated(echo, async ({ client, until }) => {
      await until('Passed');
      const { status, body } = await client.get(animals, { 'impersonate-user': 'nobody' });
      assert.equal(status, 403);
      assert.match(String(body['message']), /cannot list resource "animals" in API group "zoo\.example\.com"/);
    }));

  test('streams the events of a watch', async () => {
    let sendSecond = (): void => undefined;
    const handle: Handle = (_request, response) => {
      response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
      sendSecond = () => response.end('{"type":"ADDED","object":{"metadata":{"name":"b"}}}\n');
    };
    await aggregated(handle, async ({ client, until }) => {
      await until('Passed');
      const names: string[] = [];
      for await (const { object } of client.watch(`${animals}?watch=true`)) {
        names.push(object.metadata.name);
        sendSecond();
      }
      assert.deepEqual(names, ['a', 'b']);
    });
  });

  test('can change the protocol of a connection', () =>
    aggregated(echo, async ({ server, until }) => {
      await until('Passed');
      const headers = { authorization: `Bearer ${server.token}`, connection: 'Upgrade', upgrade: 'echo' };
      const url = `${server.url}${animals}/a/connect`;
      const call = httpsRequest(url, { ca: server.certificateAuthority, agent: false, headers }).end();
      const [response, socket] = (await once(call, 'upgrade')) as [IncomingMessage, Duplex];
      assert.equal(response.headers['user'], 'kubernetes-admin');
      socket.write('hello');
      assert.equal(String((await once(socket, 'data'))[0]), 'hello');
      socket.destroy();
    }));

  test('cannot redirect a client', () =>
    aggregated(
      (_request, response) => response.writeHead(302, { location: 'https://other.example.com/' }).end(),
      async ({ client, until }) => {
        await until('Passed');
        const { status, text, headers } = await client.get(animals);
        assert.deepEqual([status, headers['location']], [502, undefined]);
        assert.equal(text, 'the backend attempted to redirect this request, which is not permitted\n');
      },
    ));

  test('is not available before its check has passed, and after it has stopped', () =>
    aggregated(echo, async ({ client, extension, port, until }) => {
      await until('Passed');
      extension.closeAllConnections();
      extension.close();
      await once(extension, 'close');
      const first = await client.get(animals);
      assert.equal(first.status, 503);
      assert.match(
        first.text,
        /^(?:error trying to reach service: dial tcp .*: connect: connection refused|service unavailable)\n$/,
      );
      // A change of the APIService causes another check.
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = { metadata: { labels: { changed: 'yes' } } };
      await client.send('PATCH', `${apiServices}/v1.${group}`, { body, headers });
      const { message } = await until('FailedDiscoveryCheck');
      const checked = `https://localhost:${port}${root}`;
      const lead = `failing or missing response from ${checked}: Get "${checked}": dial tcp `;
      assert.ok(String(message).startsWith(lead), String(message));
      const second = await client.get(animals);
      assert.deepEqual([second.status, second.text], [503, 'service unavailable\n']);
      await client.send('DELETE', `${apiServices}/v1.${group}`);
      assert.equal((await client.get(animals)).status, 404);
    }));

  test('becomes available without a change of an object', () => {
    let isReady = false;
    const handle: Handle = (_request, response) => {
      response.statusCode = isReady ? 200 : 500;
      response.end();
    };
    const check = async ({ until, client }: Parameters<Parameters<typeof aggregated>[1]>[0]): Promise<void> => {
      const { message } = await until('FailedDiscoveryCheck');
      assert.match(String(message), /bad status from https:\/\/localhost:\d+\/apis\/zoo\.example\.com\/v2: 500$/);
      isReady = true;
      await until('Passed');
      assert.equal((await client.get(`/apis/${group}/v2`)).status, 200);
    };
    return aggregated(handle, check, 'v2');
  });

  test('must have a certificate that the authority of the APIService has issued', () =>
    aggregated(
      echo,
      async ({ client, until }) => {
        const { message } = await until('FailedDiscoveryCheck');
        assert.match(String(message), /certificate signed by unknown authority/);
        assert.equal((await client.get(animals)).status, 503);
        const headers = { 'content-type': 'application/merge-patch+json' };
        const body = { spec: { insecureSkipTLSVerify: true } };
        await client.send('PATCH', `${apiServices}/v1.${group}`, { body, headers });
        await until('Passed');
        assert.equal((await client.get(animals)).status, 200);
      },
      'v1',
      { caBundle: undefined },
    ));
});

test('a ConfigMap contains the authorities and headers for extension API servers', () =>
  aggregated(echo, async ({ server, client }) => {
    const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    const { data } = (await client.get(path)).body;
    assert.equal(data['requestheader-allowed-names'], '["front-proxy-client"]');
    assert.equal(data['requestheader-username-headers'], '["X-Remote-User"]');
    const { certificate } = await server.clientCertificate({ name: 'jane' });
    const [authority, user] = [new X509Certificate(data['client-ca-file'] ?? ''), new X509Certificate(certificate)];
    assert.ok(user.checkIssued(authority) && user.verify(authority.publicKey));
    const proxy = new X509Certificate(data['requestheader-client-ca-file'] ?? '');
    assert.ok(!user.verify(proxy.publicKey));
    const anonymous = new RawClient(server, {});
    assert.equal((await anonymous.get(path)).status, 403);
  }));
