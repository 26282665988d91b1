import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '@kubewright/api/errors';
import { impersonatedUser } from './impersonation-headers.js';

test('impersonation accepts one header per group, and one header per value of an extra field', () => {
  const headers = ['Impersonate-User', 'a', 'Impersonate-Group', 'g, h', 'impersonate-group', 'i'];
  assert.deepEqual(
    structuredClone(
      impersonatedUser([
        ...headers,
        'Impersonate-Extra-Acme.com%2fTeam',
        'x',
        'Impersonate-Extra-acme.com%2Fteam',
        'y',
      ]),
    ),
    {
      name: 'a',
      groups: ['g, h', 'i'],
      extra: { 'acme.com/team': ['x', 'y'] },
    },
  );
  assert.deepEqual(impersonatedUser(['impersonate-user', 'a', 'impersonate-uid', '1']), {
    name: 'a',
    uid: '1',
    groups: [],
  });
});

test('throws 400 for impersonation headers without a user name, and returns undefined without impersonation headers', () => {
  assert.equal(impersonatedUser(['Accept', 'Impersonate-User', 'X-Impersonate-User', 'a']), undefined);
  assert.throws(
    () => impersonatedUser(['Impersonate-Extra-b', '2', 'Impersonate-Extra-a', '1', 'Impersonate-Group', 'g']),
    (error) =>
      error instanceof ApiError &&
      error.status === 400 &&
      error.message ===
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string{"a":[]string{"1"}, "b":[]string{"2"}}} without impersonating a user name',
  );
});

test('accepts an impersonated extra field whose name is a property of all JavaScript objects', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const user = impersonatedUser(['Impersonate-User', 'a', `Impersonate-Extra-${name}`, 'x']);
    assert.deepEqual(Object.entries(user?.extra ?? {}), [[name.toLowerCase(), ['x']]]);
  }
});
