import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecrets } from './mask-secrets.js';

test('values whose name says that they are secret are masked, at every depth', () => {
  const fields = { password: 'x', db: { rootPassword: 'y', 'api-key': 'z', name: 'db' }, tokens: ['a', 'b'] };
  assert.deepEqual(maskSecrets(fields), {
    password: '***',
    db: { rootPassword: '***', 'api-key': '***', name: 'db' },
    tokens: '***',
  });
});

test('the data of a Secret is masked, that of other kinds is not', () => {
  assert.deepEqual(maskSecrets({ kind: 'Secret', data: { a: 'x' }, stringData: { b: 'y' } }), {
    kind: 'Secret',
    data: '***',
    stringData: '***',
  });
  assert.deepEqual(maskSecrets({ kind: 'ConfigMap', data: { a: 'x' } }), { kind: 'ConfigMap', data: { a: 'x' } });
});

test('credentials inside of texts and errors are masked', () => {
  assert.equal(maskSecrets('sent Authorization: Bearer abcdefghij.klm'), 'sent Authorization: Bearer ***');
  const masked = maskSecrets(new Error('Basic dXNlcjpwYXNz failed', { cause: new Error('why') })) as Record<
    string,
    unknown
  >;
  assert.equal(masked.message, 'Basic *** failed');
  assert.equal((masked.cause as Record<string, unknown>).message, 'why');
});

test('a value that holds itself, and one that cannot be written as JSON, can be logged', () => {
  const loop: Record<string, unknown> = { size: 10n };
  loop.self = loop;
  assert.doesNotThrow(() => JSON.stringify(maskSecrets(loop)));
});
