import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { proxiedResponse } from './proxied-response.js';

test('a target that breaks an upgraded connection does not end the process', async (t) => {
  const target = createServer();
  t.after(() => target.close());
  const upgraded = new Promise<Socket>((resolve) => {
    target.on('upgrade', (_request, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: test\r\n\r\n');
      resolve(socket);
    });
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const call = request({ port, host: '127.0.0.1', headers: { connection: 'Upgrade', upgrade: 'test' } });
  call.end();
  const { socket } = await proxiedResponse(call);
  assert.ok(socket !== undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  (await upgraded).resetAndDestroy();
  await closed;
  assert.ok(socket.destroyed);
});
