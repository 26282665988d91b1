import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PolicyRule } from '../generated/rbac/v1.js';
import { covers, widestOf } from './covers.js';
import type { Permission } from './permission.js';
import { permissionsIn } from './permissions-in.js';
import { isAllowed } from './rule-allows.js';
import { rulesOf } from './rules-of.js';

const on = (group: string, resource: string, ...verbs: readonly string[]): readonly Permission[] =>
  verbs.map((verb) => ({ group, resource, verb }));

test('rulesOf keeps every permission of overlapping rules: get of a/x, get of b/x, and list of a/x and b/x', () => {
  const declared: readonly PolicyRule[] = [
    { apiGroups: ['a'], resources: ['x'], verbs: ['get'] },
    { apiGroups: ['b'], resources: ['x'], verbs: ['get'] },
    { apiGroups: ['a', 'b'], resources: ['x'], verbs: ['list'] },
  ];
  const merged = [{ apiGroups: ['a', 'b'], resources: ['x'], verbs: ['get', 'list'] }];
  for (const order of [declared, declared.toReversed()]) assert.deepEqual(rulesOf(permissionsIn(order)), merged);
});

test('rulesOf merges resources with equal verbs, groups with equal resources, and names with equal verbs of one resource', () => {
  const permissions = [
    ...on('apps', 'statefulsets', 'watch', 'get', 'list'),
    ...on('apps', 'deployments', 'list', 'get', 'watch', 'get'),
    ...on('', 'events', 'create', 'patch'),
    ...on('events.k8s.io', 'events', 'patch', 'create'),
    { group: '', resource: 'secrets', verb: 'get', name: 'b' },
    { group: '', resource: 'secrets', verb: 'get', name: 'a' },
    { group: '', resource: 'secrets', verb: 'update', name: 'c' },
    { url: '/metrics', verb: 'get' },
    { url: '/healthz', verb: 'get' },
  ];
  assert.deepEqual(rulesOf(permissions), [
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['c'], verbs: ['update'] },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
    { apiGroups: ['apps'], resources: ['deployments', 'statefulsets'], verbs: ['get', 'list', 'watch'] },
    { nonResourceURLs: ['/healthz', '/metrics'], verbs: ['get'] },
  ]);
});

test('rulesOf omits a permission that a wider permission covers by verb, group, resource, subresource, name or URL', () => {
  assert.deepEqual(rulesOf([...on('', 'pods', '*', 'get'), { group: '', resource: 'pods', verb: 'get', name: 'a' }]), [
    { apiGroups: [''], resources: ['pods'], verbs: ['*'] },
  ]);
  assert.deepEqual(rulesOf([...on('*', '*', '*'), ...on('apps', 'deployments/scale', 'get')]), [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  ]);
  assert.deepEqual(rulesOf([...on('', '*/status', 'patch'), ...on('', 'pods/status', 'patch', 'get')]), [
    { apiGroups: [''], resources: ['*/status'], verbs: ['patch'] },
    { apiGroups: [''], resources: ['pods/status'], verbs: ['get'] },
  ]);
  assert.deepEqual(rulesOf(['/api*', '/api**', '/apis'].map((url) => ({ url, verb: 'get' }))), [
    { nonResourceURLs: ['/api*'], verbs: ['get'] },
  ]);
});

test('rulesOf does not widen a permission on named objects, and ignores namespaces', () => {
  const named = { group: '', resource: 'pods', verb: 'get', name: 'a' };
  assert.deepEqual(rulesOf([named, ...on('', 'pods', 'list')]), [
    { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
    { apiGroups: [''], resources: ['pods'], resourceNames: ['a'], verbs: ['get'] },
  ]);
  assert.deepEqual(rulesOf(on('', 'pods', 'get').map((permission) => ({ ...permission, namespace: 'shop' }))), [
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  ]);
});

const some = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const verbs = some('get', 'list', 'update', '*');
const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record(
    {
      apiGroups: some('', 'a', 'b', '*'),
      resources: some('x', 'y', 'x/status', '*/status', '*'),
      resourceNames: some('one', 'two', ''),
      verbs,
    },
    { requiredKeys: ['apiGroups', 'resources', 'verbs'] },
  ),
  fc.record({ nonResourceURLs: some('/metrics', '/m*', '/m**', '*', '/healthz/*'), verbs }),
);
const rules = fc.array(rule, { maxLength: 8 });
/** All possible requests for the names in the rules, and for names that are not in the rules. */
const requests: readonly Permission[] = [
  ...['', 'a', 'b', 'c'].flatMap((group) =>
    ['x', 'y', 'z', 'x/status', 'z/status', 'x/scale'].flatMap((resource) =>
      ['get', 'list', 'update', 'delete'].flatMap((verb) =>
        [{}, { name: 'one' }, { name: 'two' }, { name: 'three' }].map((name) => ({ group, resource, verb, ...name })),
      ),
    ),
  ),
  ...['/metrics', '/m', '/healthz/', '/healthz', '/'].flatMap((url) =>
    ['get', 'update'].map((verb) => ({ url, verb })),
  ),
];

test('the rules that rulesOf returns allow exactly the same requests as the declared rules', () => {
  fc.assert(
    fc.property(rules, (declared) => {
      const merged = rulesOf(permissionsIn(declared));
      for (const request of requests) {
        assert.equal(isAllowed(merged, request), isAllowed(declared, request), JSON.stringify({ request, merged }));
      }
    }),
    { numRuns: 300 },
  );
});

test('rulesOf keeps all permissions except permissions that another permission covers', () => {
  fc.assert(
    fc.property(rules, (declared) => {
      const before = permissionsIn(declared);
      const after = permissionsIn(rulesOf(before));
      assert.deepEqual(new Set(after.map(text)), new Set(widestOf(before).map(text)));
      assert.ok(before.every((permission) => after.some((wide) => covers(wide, permission))));
      assert.equal(after.length, new Set(after.map(text)).size, 'a permission is granted twice');
    }),
    { numRuns: 300 },
  );
});

test('rulesOf ignores the order of the permissions, is idempotent, and never returns more rules than permissions', () => {
  const shuffled = rules.chain((given) =>
    fc.tuple(fc.constant(given), fc.shuffledSubarray([...given], { minLength: given.length })),
  );
  fc.assert(
    fc.property(shuffled, ([declared, inOtherOrder]) => {
      const merged = rulesOf(permissionsIn(declared));
      assert.deepEqual(rulesOf(permissionsIn(inOtherOrder)), merged);
      assert.deepEqual(rulesOf(permissionsIn(merged)), merged);
      assert.ok(merged.length <= permissionsIn(declared).length);
    }),
    { numRuns: 300 },
  );
});

function text(permission: Permission): string {
  const words = Object.entries(permission).map(([name, value]) => `${name}=${value}`);
  return words.toSorted().join(' ');
}
