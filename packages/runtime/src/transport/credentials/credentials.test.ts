import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { SystemClock } from '@kubewright/api/clock';
import { pino } from 'pino';
import type { Connection } from '../connection/connection.js';
import { admissionOf } from './credentials.js';
import { loadConnection } from '../kubeconfig/load-connection.js';
import { Transport } from '../sending/transport.js';

const server = 'https://127.0.0.1:1';
const headersOf = async (connection: Partial<Connection>, own?: Record<string, string>) =>
  (await admissionOf({ server, ...connection }, own)).headers;

test('[CG-191] impersonation sends user, uid, each group and each extra field', async () => {
  const impersonate = {
    user: 'jane',
    uid: '7',
    groups: ['a', 'b'],
    extra: { scopes: ['read', 'write'], 'Example.com/Über%': ['x'], 'a b:c': ['y'] },
  };
  assert.deepEqual(await headersOf({ impersonate }), {
    'impersonate-user': 'jane',
    'impersonate-uid': '7',
    'impersonate-group': ['a', 'b'],
    'impersonate-extra-scopes': ['read', 'write'],
    'impersonate-extra-example.com%2f%c3%bcber%25': ['x'],
    'impersonate-extra-a%20b%3ac': ['y'],
  });
  assert.deepEqual(await headersOf({ impersonate: { groups: [] } }), {});
});

test('[CG-191] the key of an extra field can be decoded from the name of its header', async () => {
  for (const key of ['plain', 'with space', 'ö/ä', '%', '%2F', '"quoted"', 'a=b&c', '日本', "!#$&'*+-.^_`|~"]) {
    const [header = ''] = Object.keys(await headersOf({ impersonate: { extra: { [key]: ['1'] } } }));
    assert.match(header, /^[a-z0-9!#$%&'*+.^_`|~-]+$/);
    assert.equal(decodeURIComponent(header.slice('impersonate-extra-'.length)), key.toLowerCase());
  }
});

test('[CG-191] impersonation headers of a request replace the impersonation of the connection', async () => {
  const impersonate = { user: 'jane', groups: ['a'] };
  assert.deepEqual(await headersOf({ impersonate }, { 'Impersonate-User': 'joe' }), { 'Impersonate-User': 'joe' });
});

test('[CG-194] a request header overrides a token, a token overrides a password, and a password overrides other credentials', async () => {
  let requested = 0;
  const credentials = {
    get: async () => {
      requested++;
      return { token: 'found' };
    },
    refused: () => undefined,
  };
  const basic = { username: 'me', password: 'x' };
  const of = async (connection: Partial<Connection>, own?: Record<string, string>) =>
    (await headersOf(connection, own))['authorization'];
  assert.equal(await of({ token: 'a', basic, credentials }, { authorization: 'mine' }), 'mine');
  assert.equal(await of({ token: async () => 'a', basic, credentials }), 'Bearer a');
  assert.equal(await of({ basic, credentials }), `Basic ${Buffer.from('me:x').toString('base64')}`);
  assert.equal(requested, 0);
  assert.equal(await of({ credentials }), 'Bearer found');
  assert.equal(await of({}), undefined);
});

test('[CG-192] a connection that is logged, printed or serialized contains no secret', async () => {
  const certificate = (text: string): string =>
    Buffer.from(`-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`).toString('base64');
  const user = {
    token: 'secret-1',
    username: 'jane',
    password: 'secret-2',
    'client-certificate-data': certificate('public'),
    'client-key-data': certificate('secret-3'),
  };
  const inline = JSON.stringify({
    'current-context': 'dev',
    clusters: [{ name: 'local', cluster: { server } }],
    users: [{ name: 'jane', user }],
    contexts: [{ name: 'dev', context: { cluster: 'local', user: 'jane', namespace: 'team' } }],
  });
  const connection = await loadConnection({ kubeconfig: { inline } });
  await using transport = new Transport({ ...connection });
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  logger.info({ connection, transport }, 'connected');
  for (const shown of [JSON.stringify(connection), inspect(connection), inspect(transport, { depth: 9 }), ...lines]) {
    assert.doesNotMatch(shown, /secret-\d/);
    assert.match(shown, /team/);
    assert.match(shown, /<masked>/);
  }
  const { token, basic, clientCertificate } = connection;
  assert.equal(token, 'secret-1');
  assert.equal(basic?.password, 'secret-2');
  assert.match(clientCertificate?.key ?? '', /secret-3/);
});

test('[CG-192] the error of a failed connection contains no secret', async () => {
  await using transport = new Transport({ server: 'http://127.0.0.1:1', token: 'secret-1' });
  await assert.rejects(
    transport.request({ method: 'POST', path: '/', body: { data: 'secret-2' } }),
    (error) => !inspect(error, { depth: 9, showHidden: true }).includes('secret-'),
  );
});

test('a request stops waiting for credentials when its timeout expires, its signal is aborted or the transport is closed', async () => {
  const silent: Connection = {
    server,
    credentials: { get: () => new Promise<never>(() => undefined), refused: () => undefined },
  };
  // The clock keeps the process of the test alive while the request waits.
  await using transport = new Transport(silent, { clock: new SystemClock({ keepAlive: true }) });
  const get = { method: 'GET', path: '/', attempted: 'get pod a' } as const;
  await assert.rejects(transport.request({ ...get, timeout: '1ms' }), { code: 'REQUEST_TIMEOUT' });
  const stop = new AbortController();
  const given = [
    transport.request({ ...get, signal: stop.signal }),
    transport.stream({ path: '/', signal: stop.signal }),
  ];
  stop.abort();
  await Promise.all(given.map((each) => assert.rejects(each, { name: 'AbortError' })));
  const others = [transport.request(get), transport.stream({ path: '/' })];
  void transport.close();
  await Promise.all(others.map((each) => assert.rejects(each, { code: 'TRANSPORT_CLOSED' })));
});

test('admissionOf returns a promise of this program for a promise of another context', async () => {
  const foreign = runInNewContext("Promise.resolve({ token: 't' })") as Promise<object>;
  const admission = admissionOf({ server, credentials: { get: () => foreign, refused: () => undefined } });
  assert.ok(admission instanceof Promise);
  assert.deepEqual((await admission).headers, { authorization: 'Bearer t' });
});
