import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecrets } from './mask-secrets.js';

test('masks the values of fields with secret names, at every depth', () => {
  const fields = { password: 'x', db: { rootPassword: 'y', 'api-key': 'z', name: 'db' }, tokens: ['a', 'b'] };
  assert.deepEqual(maskSecrets(fields), {
    password: '***',
    db: { rootPassword: '***', 'api-key': '***', name: 'db' },
    tokens: '***',
  });
});

test('masks numbers and booleans of fields with secret names', () => {
  assert.deepEqual(maskSecrets({ password: 1234, pins: { rootPass: 5678n, apiToken: true }, size: 3 }), {
    password: '***',
    pins: { rootPass: '***', apiToken: '***' },
    size: 3,
  });
});

test('masks objects and lists in fields with secret names completely, except references and Kubernetes objects', () => {
  const deep = { a: { b: { c: { d: { password: { e: 'x' } } } } } };
  const fields = {
    credentials: { user: 'x', pin: 'x' },
    password: { value: 'x' },
    tokens: [{ name: 'a', value: 'x' }],
  };
  assert.deepEqual(maskSecrets(fields), { credentials: '***', password: '***', tokens: '***' });
  assert.deepEqual(maskSecrets(deep), { a: { b: { c: { d: { password: '***' } } } } });
  const shown = { secret: { name: 'a', key: 'b' }, imagePullSecrets: [{ name: 'a' }], secretName: 'a' };
  assert.deepEqual(maskSecrets(shown), shown);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace: 'b' }, data: { c: 'x' } };
  const reference = { apiVersion: 'v1', kind: 'Secret', namespace: 'b', name: 'a' };
  assert.deepEqual(maskSecrets({ secret, secrets: [secret] }), { secret: reference, secrets: [reference] });
});

test('does not mask the data of a kind with the name Secret in another group', () => {
  const object = { apiVersion: 'example.com/v1', kind: 'Secret', data: { a: 'x' } };
  assert.deepEqual(maskSecrets(object), object);
});

test('masks the data of a Secret, but not the data of other kinds', () => {
  assert.deepEqual(maskSecrets({ kind: 'Secret', data: { a: 'x' }, stringData: { b: 'y' } }), {
    kind: 'Secret',
    data: '***',
    stringData: '***',
  });
  assert.deepEqual(maskSecrets({ kind: 'ConfigMap', data: { a: 'x' } }), { kind: 'ConfigMap', data: { a: 'x' } });
});

test('masks credentials inside texts and errors', () => {
  assert.equal(maskSecrets('sent Authorization: Bearer abcdefghij.klm'), 'sent Authorization: Bearer ***');
  const masked = maskSecrets(new Error('Basic dXNlcjpwYXNz failed', { cause: new Error('why') })) as Record<
    string,
    unknown
  >;
  assert.equal(masked.message, 'Basic *** failed');
  assert.equal((masked.cause as Record<string, unknown>).message, 'why');
});

test('logs circular values, and values that JSON cannot represent', () => {
  const loop: Record<string, unknown> = { size: 10n };
  loop.self = loop;
  assert.doesNotThrow(() => JSON.stringify(maskSecrets(loop)));
});

test('masks values of short password names and of connection strings, but not values of similar names', () => {
  const secret = {
    rootPass: 'x',
    db_pass: 'x',
    DB_PASS: 'x',
    pass: 'x',
    connectionString: 'x',
    passphrase: 'x',
    accessKey: 'x',
  };
  for (const [name, value] of Object.entries(maskSecrets(secret) as object)) assert.equal(value, '***', name);
  assert.deepEqual(maskSecrets({ bypass: 'x', compass: 'x', passed: 'x' }), { bypass: 'x', compass: 'x', passed: 'x' });
});

test('masks passwords in URLs, in name=value and in JSON, within texts, errors and their causes', () => {
  const canary = 'c4nary-v4lue';
  const texts = [
    `postgres://app:${canary}@db:5432/app`,
    `host=db user=app password=${canary} sslmode=require`,
    `--token=${canary}`,
    `rootPass="${canary} with blanks"`,
    `{"spec":{"rootPass":"${canary}"}}`,
    JSON.stringify(JSON.stringify({ spec: { dbPassword: canary } })),
  ];
  for (const text of texts) {
    const error = new Error('failed', { cause: new Error(text) });
    error.stack = text;
    const shown = JSON.stringify([maskSecrets(text), maskSecrets({ error }), maskSecrets([{ note: text }])]);
    assert.ok(!shown.includes(canary), shown);
  }
});

test('does not change texts without credentials', () => {
  for (const text of [
    'secrets "db" not found',
    'cannot list secrets: forbidden',
    'GET https://10.0.0.1:443/api/v1/secrets?limit=1&continue=abc',
    'token: expired',
    'spec.password: Required value',
  ])
    assert.equal(maskSecrets(text), text);
});
