import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from '../../storage/store.js';
import { ConfiguredPolicies, policyBuckets } from './configured-policies.js';

const { policies: policyBucket, bindings: bindingBucket } = policyBuckets.validating;
const apiVersion = 'admissionregistration.k8s.io/v1';

function policy(name: string): { apiVersion: string; kind: string; metadata: object } {
  return { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name } };
}

function binding(
  name: string,
  policyName: string,
): { apiVersion: string; kind: string; metadata: object; spec: object } {
  return { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: { policyName } };
}

test('returns the policies that have bindings, sorted by name', () => {
  const store = new Store();
  const configured = new ConfiguredPolicies(policyBuckets.validating, ({ metadata }) => metadata.name);
  assert.deepEqual(configured.in(store), []);
  for (const name of ['b', 'a', 'c']) store.create(policyBucket, policy(name));
  store.create(bindingBucket, binding('two', 'b'));
  store.create(bindingBucket, binding('one', 'b'));
  store.create(bindingBucket, binding('three', 'a'));
  store.create(bindingBucket, binding('four', 'missing'));
  const found = configured.in(store).map(({ policy: { metadata }, bindings }) => {
    return [metadata.name, ...bindings.map((each) => each.metadata.name)];
  });
  assert.deepEqual(found, [
    ['a', 'three'],
    ['b', 'one', 'two'],
  ]);
  assert.equal(configured.in(store), configured.in(store));
});

test('compiles each version of a policy once, on demand', () => {
  const store = new Store();
  let compiled = 0;
  const configured = new ConfiguredPolicies(policyBuckets.validating, () => (compiled += 1));
  const stored = store.create(policyBucket, policy('a'));
  store.create(bindingBucket, binding('one', 'a'));
  const compile = (): number | undefined => configured.in(store)[0]?.compiled();
  configured.in(store);
  assert.equal(compiled, 0);
  assert.equal(compile(), 1);
  store.create(bindingBucket, binding('two', 'a'));
  assert.equal(compile(), 1);
  store.update(policyBucket, { ...stored, spec: {} });
  assert.equal(compile(), 2);
});
