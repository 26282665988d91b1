import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PolicyRule, rulesOf } from './policy-rule.js';
import { covers, permissionsIn } from '@kubewright/api/rbac';
import { describedRules } from './described-rules.js';
import { uncoveredRules } from './uncovered-rules.js';

const rules = (...given: readonly object[]): readonly PolicyRule[] => rulesOf({ rules: given });
const missing = (held: readonly PolicyRule[], desired: readonly PolicyRule[]): string =>
  describedRules(uncoveredRules(held, desired).rules).join('\n');
const many = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const cube = {
  apiGroups: many(300, 'g'),
  resources: many(300, 'r'),
  resourceNames: many(300, 'n'),
  verbs: many(300, 'v'),
};

const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

test('rules cover themselves and their subsets, including subsets that need several rules', () => {
  assert.equal(missing(rules(pods), rules(pods)), '');
  assert.equal(missing(rules({ ...pods, verbs: ['list'] }, { ...pods, verbs: ['get'] }), rules(pods)), '');
  assert.equal(missing(rules(pods), rules({ ...pods, resourceNames: ['a'] })), '');
  assert.equal(missing(rules({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }), rules(pods)), '');
});

test('a rule covers a wildcard only if the rule has the same wildcard', () => {
  assert.equal(
    missing(rules(pods), rules({ ...pods, verbs: ['*'] })),
    '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}',
  );
  assert.equal(
    missing(rules(pods), rules({ ...pods, apiGroups: ['*'] })),
    '{APIGroups:["*"], Resources:["pods"], Verbs:["get" "list"]}',
  );
});

test('a wildcard subresource covers the subresource of every resource, but not the resource', () => {
  const held = rules({ apiGroups: ['*'], resources: ['*/scale'], verbs: ['get'] });
  assert.equal(missing(held, rules({ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] })), '');
  assert.equal(
    missing(held, rules({ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] })),
    '{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}',
  );
});

test('lists missing permissions with one API group, resource and name per rule, sorted by text', () => {
  const desired = rules(
    { nonResourceURLs: ['/b', '/a'], verbs: ['get'] },
    { apiGroups: ['z', ''], resources: ['pods'], verbs: ['watch', 'get'], resourceNames: ['x'] },
  );
  assert.equal(
    missing(rules({ nonResourceURLs: ['/a*'], verbs: ['*'] }), desired),
    [
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["watch" "get"]}',
      '{APIGroups:["z"], Resources:["pods"], ResourceNames:["x"], Verbs:["watch" "get"]}',
      '{NonResourceURLs:["/b"], Verbs:["get"]}',
    ].join('\n'),
  );
});

test('finds the same missing permissions as a comparison of every individual permission', () => {
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const some = (from: readonly string[]): string[] => from.filter(() => random(3) === 0);
  const rule = (): object => ({
    verbs: some(['get', 'list', '*']),
    apiGroups: some(['', 'apps', '*']),
    resources: some(['pods', 'pods/status', '*/status', '*']),
    resourceNames: some(['a', 'b', '']),
    nonResourceURLs: some(['/a', '/a/b', '/a*', '*']),
  });
  for (let run = 0; run < 500; run += 1) {
    const [held, desired] = [rules(rule(), rule(), rule()), rules(rule(), rule())];
    const text = JSON.stringify({ held, desired });
    const found = uncoveredRules(held, desired);
    const had = permissionsIn(held);
    const expected = permissionsIn(desired).filter((permission) => !had.some((wide) => covers(wide, permission)));
    const keys = (permissions: readonly object[]): readonly string[] =>
      permissions.map((permission) => JSON.stringify(permission)).toSorted();
    assert.equal(found.isComplete, true, text);
    assert.deepEqual(keys(permissionsIn(found.rules)), keys(expected), text);
  }
});

test('compares rules that allow billions of combinations without building these combinations', () => {
  const without = (verb: string): object => ({ ...cube, verbs: cube.verbs.filter((each) => each !== verb) });
  const byVerb = cube.verbs.slice(0, 60).map((verb) => ({ ...cube, verbs: [verb] }));
  assert.deepEqual({ ...uncoveredRules(rules(cube), rules(cube)) }.rules, []);
  assert.equal(uncoveredRules(rules(cube), rules(cube)).isComplete, true);
  assert.equal(uncoveredRules(rules(...byVerb), rules({ ...cube, verbs: cube.verbs.slice(0, 60) })).isComplete, true);
  assert.deepEqual(uncoveredRules(rules(...byVerb), rules({ ...cube, verbs: cube.verbs.slice(0, 60) })).rules, []);
  const found = uncoveredRules(rules(without('v7')), rules(cube));
  assert.deepEqual([found.isComplete, found.rules.length, found.rules[0]?.verbs], [false, 1000, ['v7']]);
  assert.equal(uncoveredRules([], rules(cube)).isComplete, false);
});

test('finds no missing permissions if 5,000 rules are compared with themselves', () => {
  const each = rules(...many(5000, 'r').map((resource) => ({ ...pods, resources: [resource] })));
  const { rules: found, isComplete } = uncoveredRules(each, each);
  assert.deepEqual([found.length, isComplete], [0, true]);
});

test('stops the search for missing permissions if the rules need too many comparisons', () => {
  const diagonal = many(300, 'x').map((x) => ({
    ...cube,
    resources: ['r0'],
    apiGroups: ['g0'],
    resourceNames: [`n${x}`],
  }));
  const star = (field: string) => many(300, field[0] ?? '').map((value) => ({ ...cube, [field]: [value] }));
  const held = rules(...diagonal, ...star('resources'), ...star('apiGroups'));
  const { rules: found, isComplete } = uncoveredRules(held, rules(cube));
  assert.deepEqual([found.length, isComplete], [0, false]);
});

test('returns an incomplete list if the text of the missing permissions is too long', () => {
  const verbs = ['v'.repeat(100_000)];
  const { rules: found, isComplete } = uncoveredRules([], rules({ ...pods, resources: many(100, 'r'), verbs }));
  assert.deepEqual([found.length, isComplete], [10, false]);
});
