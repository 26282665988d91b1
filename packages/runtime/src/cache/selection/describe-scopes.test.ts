import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeScopes } from './describe-scopes.js';
import type { InformerScope } from './informer-selection.js';

function scope(selected: Partial<InformerScope>): InformerScope {
  return { namespace: undefined, except: [], labels: undefined, fields: undefined, transform: undefined, ...selected };
}
const names = (...all: readonly string[]) => ({ names: { key: 'names', names: new Set(all) } });

for (const [selected, text] of [
  [{}, 'all objects'],
  [{ except: ['a', 'b'] }, 'all objects outside the namespaces a, b'],
  [{ labels: 'app=web', namespace: 'a' }, "objects with labels 'app=web' in namespace 'a'"],
  [{ labels: 'app=web', fields: 'x=y' }, "objects with labels 'app=web' and fields 'x=y'"],
  [{ ...names('a'), namespace: 'a' }, "1 referenced object in namespace 'a'"],
  [names('a', 'b'), '2 referenced objects'],
  [{ ...names('a'), labels: 'app=web' }, "1 referenced object with labels 'app=web'"],
] as const) {
  test(`describes a selection as "${text}"`, () => assert.equal(describeScopes([scope(selected)]), text));
}

test('describes up to three selections and counts the others', () => {
  assert.equal(describeScopes([]), 'no objects of this kind yet');
  const scopes = ['a', 'b', 'c', 'd'].map((namespace) => scope({ namespace }));
  const three = ['a', 'b', 'c'].map((namespace) => `all objects in namespace '${namespace}'`).join(', ');
  assert.equal(describeScopes(scopes), `${three} and 1 other selection`);
  assert.equal(describeScopes([...scopes, scope({})]), `${three} and 2 other selections`);
});
