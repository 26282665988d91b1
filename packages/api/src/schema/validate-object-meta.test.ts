import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateObjectMeta } from './validate-object-meta.js';

function errorsOf(metadata: Record<string, unknown>, namespaced = true): readonly string[] {
  const whole = namespaced ? { name: 'a', namespace: 'b', ...metadata } : { name: 'a', ...metadata };
  return validateObjectMeta(whole, { namespaced }).map(({ field, message }) => `${field}: ${message}`);
}

function controllerOf(name: string) {
  return { apiVersion: 'v1', kind: 'Pod', name, uid: name, controller: true };
}

test('validateObjectMeta reports no errors for valid metadata', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u', controller: true };
  assert.deepEqual(errorsOf({ labels: { a: 'b' }, annotations: { 'X.y/Z': '' }, ownerReferences: [owner] }), []);
  assert.deepEqual(errorsOf({ generateName: 'a-', finalizers: ['example.com/f'] }), []);
});

test('validateObjectMeta requires a name, and a namespace for namespaced kinds', () => {
  assert.deepEqual(errorsOf({ name: '' }), ['metadata.name: Required value: name or generateName is required']);
  assert.deepEqual(errorsOf({ namespace: '' }), ['metadata.namespace: Required value']);
  assert.deepEqual(errorsOf({ namespace: 'b' }, false), ['metadata.namespace: Forbidden: not allowed on this type']);
  assert.match(
    errorsOf({ name: 'A' })[0] ?? '',
    /^metadata\.name: Invalid value: "A": a lowercase RFC 1123 subdomain must/,
  );
});

test('validateObjectMeta validates labels, annotations and finalizers', () => {
  assert.match(
    errorsOf({ labels: { a: '-' } })[0] ?? '',
    /^metadata\.labels: Invalid value: "-": a valid label must be/,
  );
  assert.deepEqual(errorsOf({ annotations: { a: 'x'.repeat(256 * 1024) } }), [
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  ]);
  assert.match(
    errorsOf({ finalizers: ['a b'] })[0] ?? '',
    /^metadata\.finalizers: Invalid value: "a b": name part must/,
  );
  assert.deepEqual(errorsOf({ finalizers: ['orphan', 'foregroundDeletion'] }), [
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ]);
});

test('validateObjectMeta requires complete owner references and at most one controller', () => {
  assert.deepEqual(errorsOf({ ownerReferences: [{}] }), [
    'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
    'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
    'metadata.ownerReferences.name: Invalid value: "": must not be empty',
    'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
  ]);
  assert.match(
    errorsOf({ ownerReferences: [controllerOf('x'), controllerOf('y')] })[0] ?? '',
    /for Pod\/x and Pod\/y$/,
  );
});

test('validateObjectMeta requires a known operation and a known fieldsType in managed fields', () => {
  assert.deepEqual(errorsOf({ managedFields: [{ operation: 'Guess', fieldsType: 'FieldsV2' }] }), [
    'metadata.managedFields[0].operation: Unsupported value: "Guess": supported values: "Apply", "Update"',
    'metadata.managedFields[0].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
  ]);
});
