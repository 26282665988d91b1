import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MatchConditions } from './match-conditions.js';

const bindings = { object: { a: 1 }, request: { operation: 'CREATE' } };

function verdict(policy: 'Fail' | 'Ignore', ...expressions: readonly string[]): unknown {
  const conditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
  return new MatchConditions(conditions).match(bindings, policy);
}

test('MatchConditions matches a request if there are no conditions or if all conditions are true', () => {
  assert.deepEqual(verdict('Fail'), { matches: true });
  assert.deepEqual(verdict('Fail', 'object.a == 1', 'true'), { matches: true });
});

test('MatchConditions reports the first condition that is false, regardless of errors', () => {
  assert.deepEqual(verdict('Fail', 'object.missing == 1', 'false', '1 == 2'), { matches: false, failed: 'c1' });
});

test('MatchConditions reports errors only with the failure policy Fail', () => {
  const one = "expression 'object.b == 1' resulted in error: no such key: b";
  const two = "expression 'object.c == 1' resulted in error: no such key: c";
  assert.deepEqual(verdict('Fail', 'object.b == 1', 'true'), { error: one });
  assert.deepEqual(verdict('Fail', 'object.b == 1', 'object.c == 1', 'object.b == 1'), { error: `[${one}, ${two}]` });
  assert.deepEqual(verdict('Ignore', 'object.b == 1', 'true'), { matches: false });
});

test('MatchConditions limits the cost of all conditions of a request', () => {
  const authorize = (): { allowed: boolean; reason: string } => ({ allowed: true, reason: '' });
  const check = "authorizer.path('/').check('get').allowed() && authorizer.path('/').check('get').allowed()";
  const conditions = new MatchConditions(
    Array.from({ length: 4 }, (_, index) => ({ name: `c${index}`, expression: check })),
  );
  const error = 'validation failed due to running out of cost budget, no further validation rules will be run';
  assert.deepEqual(conditions.match({ ...bindings, authorize }, 'Fail'), { error });
  assert.deepEqual(conditions.match({ ...bindings, authorize }, 'Ignore'), { matches: false });
});
