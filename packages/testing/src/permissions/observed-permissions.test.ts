import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObservedRequest } from '@kubewright/runtime';
import { ObservedPermissions } from './observed-permissions.js';

/** Returns the verbs that are reported as refused after status 403. Without a message, the body of the response is unknown. */
function refusedVerbs(message?: string): readonly string[] {
  const refused: string[] = [];
  const observer = new ObservedPermissions('https://127.0.0.1', ({ permission, refused: isRefused }) => {
    if (isRefused && 'verb' in permission) refused.push(permission.verb);
  });
  const request: ObservedRequest = {
    verb: 'PATCH',
    host: '127.0.0.1',
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/web',
    query: 'fieldManager=m',
    attempted: 'apply role default/web',
    stream: message === undefined,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body: JSON.stringify({ metadata: { name: 'web' } }),
    requestBytes: 1,
  };
  const body = message === undefined ? undefined : Buffer.from(JSON.stringify({ kind: 'Status', code: 403, message }));
  observer.request(request).answered?.({ code: 403, body, durationMs: 1 });
  return refused.toSorted();
}

test('reports a permission as refused if the authorizer has refused the request', () => {
  const message =
    'roles "web" is forbidden: User "a" cannot patch resource "roles" in API group "rbac.authorization.k8s.io"';
  assert.deepEqual(refusedVerbs(message), ['create', 'patch']);
  assert.deepEqual(refusedVerbs(), ['create', 'patch']);
});

test('reports no refused permission if a quota or a webhook has refused the request', () => {
  assert.deepEqual(refusedVerbs('roles "web" is forbidden: exceeded quota: small, requested: count/roles=1'), []);
  assert.deepEqual(refusedVerbs('admission webhook "a.example.com" denied the request: not today'), []);
});

test('reports only the missing permission to grant permissions after a refused privilege escalation', () => {
  const message = 'roles "web" is forbidden: user "a" is attempting to grant RBAC permissions not currently held: {…}';
  assert.deepEqual(refusedVerbs(message), ['escalate']);
});
