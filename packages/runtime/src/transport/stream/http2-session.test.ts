import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { TLSSocket } from 'node:tls';
import { SystemClock } from '@kubewright/api/clock';
import { Http2Session } from './http2-session.js';

test('destroying a session immediately after it has connected does not throw', async () => {
  const socket = new TLSSocket(new PassThrough());
  const session = new Http2Session(new URL('https://127.0.0.1'), socket, new SystemClock());
  socket.emit('secureConnect');
  session.destroy();
  await setImmediate();
  assert.equal(session.hasRoom, false);
});
