import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InformerScope } from './informer-selection.js';
import { labelMatcher } from './label-match.js';
import { coversScope, scopeKey, scopeMatcher } from './scope-cover.js';
import { planScopes } from './scope-plan.js';
import { labelsCover } from './selector-cover.js';
import { configMap } from '../test-support/reflector-bench.js';

const scope = (of: Partial<InformerScope> = {}): InformerScope => ({
  namespace: undefined,
  except: [],
  labels: undefined,
  fields: undefined,
  transform: undefined,
  ...of,
});
const planned = (needed: readonly InformerScope[], open: readonly InformerScope[] = []): readonly InformerScope[] => {
  const keys = new Set(open.map(scopeKey));
  return planScopes(needed, (key) => keys.has(key)).map((each) => each.scope);
};

test('one watch of a whole kind covers everything that is declared beside it', () => {
  const whole = scope();
  const others = [
    scope({ labels: 'app=web' }),
    scope({ namespace: 'a' }),
    scope({ fields: 'metadata.name=one' }),
    scope({ namespace: 'a', labels: 'app in (web, db)' }),
    scope({ except: ['b'], fields: 'metadata.namespace!=b' }),
  ];
  assert.deepEqual(planned([...others, whole, ...others]), [whole]);
});

test('scopes that none covers are watched each', () => {
  const apart = [scope({ labels: 'app=web' }), scope({ labels: 'app=db' }), scope({ namespace: 'a' })];
  assert.deepEqual(planned(apart), apart);
  const within = scope({ namespace: 'a', labels: 'app=web,tier' });
  assert.deepEqual(planned([within, ...apart]), apart);
});

test('of scopes that select the same objects the one that is watched stays', () => {
  const [one, other] = [scope({ labels: 'a=1,b=2' }), scope({ labels: 'b=2,a=1' })];
  assert.deepEqual(planned([one, other], [other]), [other]);
  assert.deepEqual(planned([one, other]), [one]);
});

test('a scope that only the server can decide has a watch of its own', () => {
  const decided = scope({ fields: 'status.phase=Running' });
  assert.deepEqual(planned([decided, scope(), decided]), [decided, scope()]);
  assert.equal(scopeMatcher(decided), undefined);
});

test('all other namespaces cover what is in one of them, and not what is in one that is left out', () => {
  const others = scope({ except: ['a'], fields: 'metadata.namespace!=a' });
  assert.equal(coversScope(others, scope({ namespace: 'b' })), true);
  assert.equal(coversScope(others, scope({ namespace: 'a' })), false);
  assert.equal(coversScope(others, scope()), false);
});

const requirement = fc.oneof(
  fc.constantFrom('a', '!a', 'b', '!b'),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('=', '!='), fc.constantFrom('1', '2', '3'))
    .map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('a', 'b'),
      fc.constantFrom('in', 'notin'),
      fc.uniqueArray(fc.constantFrom('1', '2', '3'), { minLength: 1 }),
    )
    .map(([key, operator, values]) => `${key} ${operator} (${values.join(',')})`),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('>', '<'), fc.constantFrom('1', '2'))
    .map((parts) => parts.join('')),
);
const selector = fc.array(requirement, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(','));

test('property: what a covering selector does not select, the covered one does not select either', () => {
  let covering = 0;
  fc.assert(
    fc.property(selector, selector, (outer, inner) => {
      if (!labelsCover(outer, inner)) return;
      covering++;
      for (const [a, b] of everyPair()) {
        const labels = { ...(a !== undefined && { a }), ...(b !== undefined && { b }) };
        const object = configMap('x', '1', { metadata: { labels } });
        if (labelMatcher(inner)(object)) assert.ok(labelMatcher(outer)(object), JSON.stringify(labels));
      }
    }),
    { numRuns: 3000, seed: 1 },
  );
  assert.ok(covering > 100, `${covering} pairs`);
});

function everyPair(): readonly (readonly [string | undefined, string | undefined])[] {
  const values = [undefined, '1', '2', '3', '4'];
  return values.flatMap((a) => values.map((b) => [a, b] as const));
}
