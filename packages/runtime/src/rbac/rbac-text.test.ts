import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, KubewrightError } from '@kubewright/api/errors';
import { rbacRemedy } from './rbac-text.js';

function refused(message: string, code = 403): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason: 'Forbidden',
    message,
  } as never);
}

test('returns the decorator that grants a forbidden request, even if the error is nested in other errors', () => {
  const who = 'services "web" is forbidden: User "system:serviceaccount:shop:operator" cannot';
  const onResource = refused(`${who} create resource "services" in API group "" in the namespace "shop"`);
  const remedy = 'to the controller class and generate its roles again';
  assert.equal(
    rbacRemedy(onResource),
    `add @Rbac({ groups: [''], resources: ['services'], verbs: ['create'] }) ${remedy}`,
  );
  const wrapped = new KubewrightError('FINALIZERS_FAILED', 'two failed', {
    cause: new AggregateError([], '', { cause: onResource }),
  });
  assert.equal(rbacRemedy(wrapped), rbacRemedy(onResource));
  const onStatus = refused(`${who} patch resource "carts/status" in API group "shop.example.com" at the cluster scope`);
  assert.match(
    rbacRemedy(onStatus) ?? '',
    /groups: \['shop\.example\.com'\], resources: \['carts\/status'\], verbs: \['patch'\]/,
  );
  assert.match(
    rbacRemedy(refused('forbidden: User "a" cannot get path "/metrics"')) ?? '',
    /@Rbac\(\{ urls: \['\/metrics'\], verbs: \['get'\] \}\)/,
  );
});

test('returns a decorator with bind or escalate if the operator tries to grant permissions that it does not have', () => {
  const message = 'forbidden: user "a" (groups=["b"]) is attempting to grant RBAC permissions not currently held:\n{…}';
  const remedyFor = (kind: string): string =>
    rbacRemedy(new ApiError({ kind: 'Status', status: 'Failure', code: 403, message, details: { kind } } as never)) ??
    '';
  assert.equal(
    remedyFor('rolebindings'),
    "add @Rbac({ groups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['bind'], names: ['…'] }), " +
      'with the names of the roles that the controller binds, to the controller class and generate its roles again',
  );
  assert.match(remedyFor('roles'), /resources: \['roles'\], verbs: \['escalate'\] \}\) to the controller class/);
});

test('returns undefined for a rejection by admission and for other errors', () => {
  assert.equal(rbacRemedy(refused('pods "a" is forbidden: exceeded quota: small')), undefined);
  assert.equal(rbacRemedy(refused('cannot get resource "pods" in API group ""', 404)), undefined);
  assert.equal(rbacRemedy(new Error('no')), undefined);
  assert.equal(rbacRemedy('no'), undefined);
});
