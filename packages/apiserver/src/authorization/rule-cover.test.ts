import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PolicyRule, rulesOf } from './policy-rule.js';
import { describedRules, uncoveredRules } from './rule-cover.js';

const rules = (...given: readonly object[]): readonly PolicyRule[] => rulesOf({ rules: given });
const missing = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]): string =>
  describedRules(uncoveredRules(held, wanted));

const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

test('rules cover themselves and all of their parts, also from several rules', () => {
  assert.equal(missing(rules(pods), rules(pods)), '');
  assert.equal(missing(rules({ ...pods, verbs: ['list'] }, { ...pods, verbs: ['get'] }), rules(pods)), '');
  assert.equal(missing(rules(pods), rules({ ...pods, resourceNames: ['a'] })), '');
  assert.equal(missing(rules({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }), rules(pods)), '');
});

test('stars are covered by stars alone', () => {
  assert.equal(
    missing(rules(pods), rules({ ...pods, verbs: ['*'] })),
    '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}',
  );
  assert.equal(
    missing(rules(pods), rules({ ...pods, apiGroups: ['*'] })),
    '{APIGroups:["*"], Resources:["pods"], Verbs:["get" "list"]}',
  );
});

test('a subresource of every resource covers that of one, and no resource', () => {
  const held = rules({ apiGroups: ['*'], resources: ['*/scale'], verbs: ['get'] });
  assert.equal(missing(held, rules({ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] })), '');
  assert.equal(
    missing(held, rules({ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] })),
    '{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}',
  );
});

test('what is missing is told a resource and name a line, in the order of the text', () => {
  const wanted = rules(
    { nonResourceURLs: ['/b', '/a'], verbs: ['get'] },
    { apiGroups: ['z', ''], resources: ['pods'], verbs: ['watch', 'get'], resourceNames: ['x'] },
  );
  assert.equal(
    missing(rules({ nonResourceURLs: ['/a*'], verbs: ['*'] }), wanted),
    [
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["watch" "get"]}',
      '{APIGroups:["z"], Resources:["pods"], ResourceNames:["x"], Verbs:["watch" "get"]}',
      '{NonResourceURLs:["/b"], Verbs:["get"]}',
    ].join('\n'),
  );
});
