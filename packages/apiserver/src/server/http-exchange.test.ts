import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ResponseStream } from './http-exchange.js';

test('a stream calls its listener if the client disconnects before or after the call of onClose', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = request({ host: '127.0.0.1', port });
  call.on('error', () => undefined).end();
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const stream = new ResponseStream(response);
  const before = new Promise<void>((resolve) => stream.onClose(resolve));
  call.destroy();
  await before;
  await new Promise<void>((resolve) => stream.onClose(resolve));
  assert.ok(stream.isFull);
  server.close();
});
