import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { ManualClock } from '../test-support/manual-clock.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { HttpEndpoint, sendText } from './http-endpoint.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

test('an endpoint closes idle connections one second after it is disposed of', async () => {
  const clock = new ManualClock();
  const keyPair = selfSignedCertificate(['127.0.0.1']);
  const endpoint = new HttpEndpoint(
    { name: 'metrics', portOption: 'metrics.port', port: 0, host: '127.0.0.1', keyPair },
    { clock, logger: new RecordingLogger(), handler: (_, response) => sendText(response, 200, 'well') },
  );
  await endpoint.listen();
  const { host = '', port = 0 } = endpoint.address ?? {};
  const silent = connect({ host, port }).on('error', () => undefined);
  await once(silent, 'connect');
  // After this handshake, the server has also accepted the connection that was opened before.
  const talking = connectTls({ host, port, ca: keyPair.cert }).on('error', () => undefined);
  await once(talking, 'secureConnect');
  const ended = endpoint[Symbol.asyncDispose]();
  clock.advance(1000);
  await Promise.all([ended, once(silent, 'close', { signal: AbortSignal.timeout(10_000) })]);
  assert.equal(endpoint.address, undefined);
});
