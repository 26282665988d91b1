import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import type { Authenticator } from '../authentication/authenticator.js';
import { text } from '../handlers/answers/answer.js';
import { defaultData } from '../registry/cluster-data/cluster-data.js';
import { ProtobufWriter } from '../handlers/protobuf/protobuf-writer.js';
import type { Router } from '../handlers/router.js';
import type { ClientCertificates } from './client-certificates.js';
import { HttpExchange } from './http-exchange.js';
import type { HttpRequest, HttpResponse } from './listener.js';
import { RequestHandler } from './request-handler.js';

/** Returns a handler that responds to each complete request and waits at most 20 ms for a body. */
function handlerWithShortLimits(): RequestHandler {
  const router = { route: () => Promise.resolve(text('ok')) } as unknown as Router;
  return new RequestHandler(router, {
    authenticator: { authenticate: () => ({ name: 'a', groups: [] }) } as unknown as Authenticator,
    durable: () => undefined,
    onDone: () => undefined,
    clock: new SystemClock(),
    protobuf: new ProtobufWriter(defaultData),
    bodyLimitMs: 20,
  });
}

function exchangeOf(request: HttpRequest, response: HttpResponse): HttpExchange {
  return new HttpExchange(request, response, { user: () => undefined } as unknown as ClientCertificates);
}

test('closes the connection of a client that does not complete its body in time', async () => {
  const handler = handlerWithShortLimits();
  const server = createServer((received, response) => void handler.handle(exchangeOf(received, response)));
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

test('closes the HTTP/2 stream, but not the connection, of a client that does not complete its body in time', async () => {
  const handler = handlerWithShortLimits();
  const server = createHttp2Server((received, response) => void handler.handle(exchangeOf(received, response)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const send = (body: string): Promise<string> =>
    new Promise((resolve) => {
      const stream = session.request({ ':method': 'POST', ':path': '/', 'content-length': '10' });
      stream.on('response', ({ ':status': status }) => resolve(String(status)));
      stream.on('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
      stream.write(body);
      if (body.length === 10) stream.end();
    });
  assert.equal(await send('half'), 'ERR_HTTP2_STREAM_ERROR');
  assert.equal(await send('0123456789'), '200');
  assert.equal(handler.open, 0);
  session.destroy();
  server.close();
});
