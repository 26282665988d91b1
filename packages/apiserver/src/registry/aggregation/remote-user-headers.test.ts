import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRemoteUserHeader, remoteUserHeaders } from './remote-user-headers.js';

test('passes all attributes of a user in headers, as bytes in UTF-8', () => {
  const extra = { 'example.com/Scope (a)': ['x', 'y'] };
  const headers = remoteUserHeaders({ name: 'jané', uid: 'u', groups: ['a', 'b'], extra });
  assert.deepEqual(headers, {
    'x-remote-user': 'jan\u00c3\u00a9',
    'x-remote-uid': 'u',
    'x-remote-group': ['a', 'b'],
    'x-remote-extra-example.com%2FScope%20%28a%29': ['x', 'y'],
  });
  assert.ok(Object.keys(headers).every(isRemoteUserHeader));
  assert.deepEqual(remoteUserHeaders({ name: 'n', groups: [] }), { 'x-remote-user': 'n' });
});
