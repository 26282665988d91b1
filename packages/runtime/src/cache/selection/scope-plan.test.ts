import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { InformerScope } from './informer-selection.js';
import { labelMatcher } from '../store/label-match.js';
import { coversScope, scopeKey, scopeMatcher } from './scope-cover.js';
import { planScopes } from './scope-plan.js';
import { labelsCover } from './selector-cover.js';
import { configMap } from '../../test-support/reflector-bench.js';

const scope = (of: Partial<InformerScope> = {}): InformerScope => ({
  namespace: undefined,
  except: [],
  labels: undefined,
  fields: undefined,
  transform: undefined,
  ...of,
});
const planned = (needed: readonly InformerScope[], open: readonly InformerScope[] = []): readonly InformerScope[] => {
  return planScopes(needed, new Map(open.map((each) => [scopeKey(each), each]))).map((each) => each.scope);
};

test('a watch of the whole kind replaces the watches of all other declarations', () => {
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

test('opens a watch for each scope that no other scope covers', () => {
  const apart = [scope({ labels: 'app=web' }), scope({ labels: 'tier=db' }), scope({ namespace: 'a' })];
  assert.deepEqual(planned(apart), apart);
  const within = scope({ namespace: 'a', labels: 'app=web,tier' });
  assert.deepEqual(planned([within, ...apart]), apart);
});

test('keeps the scope that is already open if several scopes select the same objects', () => {
  const [one, other] = [scope({ labels: 'a=1,b=2' }), scope({ labels: 'b=2,a=1' })];
  assert.deepEqual(planned([one, other], [other]), [other]);
  assert.deepEqual(planned([one, other]), [one]);
});

const labeled = (...labels: readonly string[]) => labels.map((each) => scope({ labels: each }));
const labelsOf = (scopes: readonly InformerScope[]) => scopes.map(({ labels }) => labels);

test('selectors that differ only in the values of one key share one watch', () => {
  assert.deepEqual(labelsOf(planned(labeled('app=web', 'app=db'))), ['app in (db,web)']);
  assert.deepEqual(labelsOf(planned(labeled('app=web', 'app in (db,api)', 'app==x'))), ['app in (api,db,web,x)']);
  assert.deepEqual(labelsOf(planned(labeled('app=web', 'app=web'))), ['app=web']);
  assert.deepEqual(labelsOf(planned(labeled('app in (web,db)', 'app=web'))), ['app in (web,db)']);
  assert.deepEqual(labelsOf(planned(labeled('!old,app=web,tier', 'tier,app=db,!old'))), ['app in (db,web),!old,tier']);
});

test('merges selectors that become mergeable after another merge', () => {
  const all = ['a=1,b=1', 'a=2,b=2', 'a=2,b=1', 'a=1,b=2'];
  assert.deepEqual(labelsOf(planned(labeled(...all))), ['a in (1,2),b in (1,2)']);
});

test('opens separate watches for selectors that cannot be merged into one selector', () => {
  const apart = [
    ['app=web', 'tier=db'],
    ['app=web', 'app!=db,tier'],
    ['app', '!app'],
    ['n>1', 'n>2,app=web'],
    ['app=web,tier=x', 'app=db,tier=y'],
    ['app=web,n>1', 'app=db,n>1'],
  ];
  for (const each of apart) assert.equal(planned(labeled(...each)).length, 2, each.join(' and '));
  const inOther = [scope({ labels: 'app=web' }), scope({ namespace: 'a', labels: 'app=db' })];
  assert.deepEqual(planned(inOther), inOther);
  const decided = ['web', 'db'].map((app) => scope({ labels: `app=${app}`, fields: 'status.phase=Running' }));
  assert.deepEqual(planned(decided), decided);
});

test('keeps a watch open if it selects only needed objects, even if other selectors are added or removed', () => {
  const [web, db, api] = labeled('app=web', 'app=db', 'app=api') as [InformerScope, InformerScope, InformerScope];
  const both = scope({ labels: 'app in (db,web)' });
  assert.deepEqual(planned([web, db], [web]), [web, db]);
  assert.deepEqual(planned([web, db], [both]), [both]);
  assert.deepEqual(planned([web, db, api], [both]), [both, api]);
  assert.deepEqual(planned([web], [both]), [web], 'narrowed');
  assert.deepEqual(planned([web, db, scope()], [both]), [scope()], 'widened');
});

test('opens a separate watch for a scope that only the server can evaluate', () => {
  const decided = scope({ fields: 'status.phase=Running' });
  assert.deepEqual(planned([decided, scope(), decided]), [decided, scope()]);
  assert.equal(scopeMatcher(decided), undefined);
});

test('a scope of all other namespaces covers each of these namespaces, but not the excluded namespaces', () => {
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

test('property: a selector that covers another selector selects all objects of that selector', () => {
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

test('property: merged selectors select exactly the objects that the original selectors select', () => {
  let fewer = 0;
  fc.assert(
    fc.property(
      fc.array(selector, { minLength: 1, maxLength: 4 }),
      fc.array(selector, { maxLength: 3 }),
      (needed, open) => {
        const plan = labelsOf(planned(labeled(...needed), labeled(...open)));
        if (plan.length < new Set(needed).size) fewer++;
        for (const [a, b] of everyPair()) {
          const labels = { ...(a !== undefined && { a }), ...(b !== undefined && { b }) };
          const object = configMap('x', '1', { metadata: { labels } });
          const isSelected = (by: readonly (string | undefined)[]) => by.some((each) => labelMatcher(each)(object));
          assert.equal(isSelected(plan), isSelected(needed), `${JSON.stringify(labels)} by ${plan.join(' and ')}`);
        }
      },
    ),
    { numRuns: 1000, seed: 1 },
  );
  assert.ok(fewer > 100, `${fewer} plans`);
});

function everyPair(): readonly (readonly [string | undefined, string | undefined])[] {
  const values = [undefined, '1', '2', '3', '4'];
  return values.flatMap((a) => values.map((b) => [a, b] as const));
}
