import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Authenticator } from '../authentication/authenticator.js';
import { text } from '../handlers/answer.js';
import type { Router } from '../handlers/router.js';
import type { ClientCertificates } from './client-certificates.js';
import { RequestHandler } from './request-handler.js';

test('cuts the connection of a client that does not complete its body in time', async () => {
  const router = { route: () => Promise.resolve(text('ok')) } as unknown as Router;
  const handler = new RequestHandler(router, {
    authenticator: { authenticate: () => ({ name: 'a', groups: [] }) } as unknown as Authenticator,
    certificates: { user: () => undefined } as unknown as ClientCertificates,
    durable: () => undefined,
    onDone: () => undefined,
    bodyLimitMs: 20,
  });
  const server = createServer((received, response) => void handler.handle(received, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const options = { host: '127.0.0.1', port, method: 'POST', headers: { 'content-length': '10' } };
  const send = (body: string): Promise<string> =>
    new Promise((resolve) => {
      const sent = request(options, (answer) => resolve(String(answer.statusCode)));
      sent.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
      sent.write(body);
      if (body.length === 10) sent.end();
    });
  assert.equal(await send('half'), 'ECONNRESET');
  assert.equal(await send('0123456789'), '200');
  assert.equal(handler.open, 0);
  server.close();
});
