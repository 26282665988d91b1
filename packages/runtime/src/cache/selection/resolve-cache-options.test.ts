import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepFreeze, dynamicKind, type KubeObject, metadataOnly } from '@kubewright/api';
import { ConfigMap, Namespace, Pod, Secret } from '@kubewright/api/core/v1';
import { KubewrightError } from '@kubewright/api/errors';
import fc from 'fast-check';
import { type CacheOptions, type CacheSettings, cacheOf, type KindCacheOptions } from './cache-options.js';
import { exactFields } from './field-match.js';
import type { InformerScope, InformerSelection, SelectionRequest } from './informer-selection.js';
import { resolveCacheOptions } from './resolve-cache-options.js';
import { selectInformer } from './select-informer.js';

const PODS = { apiVersion: 'v1', kind: 'Pod', namespaced: true };
const NAMESPACES = { apiVersion: 'v1', kind: 'Namespace', namespaced: false };

function select(options: CacheOptions, request?: SelectionRequest, resource = PODS): InformerSelection {
  return selectInformer(resolveCacheOptions(options), resource, request);
}
/** Returns the label selector of each namespace. The key '*' means all other namespaces. */
function labelsOf(options: CacheOptions): Record<string, string | undefined> {
  return byNamespace(options, ({ labels }) => labels);
}
function fieldsOf(options: CacheOptions): Record<string, string | undefined> {
  return byNamespace(options, ({ fields }) => fields);
}
function byNamespace<R>(options: CacheOptions, read: (scope: InformerScope) => R): Record<string, R> {
  return Object.fromEntries(select(options).scopes.map((scope) => [scope.namespace ?? '*', read(scope)]));
}
function refuses(options: CacheOptions, message: RegExp): void {
  assert.throws(
    () => select(options),
    (error) => error instanceof KubewrightError && error.code === 'INVALID_CACHE' && message.test(error.message),
  );
}
const keep = (object: KubeObject): KubeObject => object;
const keepToo = (object: KubeObject): KubeObject => object;

test('[CD-01, CD-16] the namespaces of a kind inherit the settings of the kind', () => {
  const kinds = [cacheOf(Pod, { labels: 'own', namespaces: { a: {}, b: { labels: 'nearer' } } })];
  assert.deepEqual(labelsOf({ kinds, labels: 'far' }), { a: 'own', b: 'nearer' });
  assert.deepEqual(labelsOf({ kinds: [cacheOf(Pod, { labels: 'own' })], namespaces: ['a'], labels: 'far' }), {
    a: 'own',
  });
});

test('[CD-02, CD-03, CD-04, CD-12, CD-13] a kind without namespaces inherits the namespaces of the cache with their settings', () => {
  const options = { namespaces: { a: { labels: 'in-a' }, b: {}, c: { labels: 'in-c' } }, labels: 'far' };
  const all = { a: 'in-a', b: 'far', c: 'in-c' };
  assert.deepEqual(labelsOf({ ...options, kinds: [cacheOf(Pod)] }), all);
  assert.deepEqual(labelsOf(options), all);
  const named = [cacheOf(Pod, { namespaces: ['a', 'd'] })];
  assert.deepEqual(labelsOf({ ...options, kinds: named }), { a: 'in-a', d: 'far' });
});

test('[CD-05] caches a kind in all namespaces if its namespaces are an empty list or an empty object', () => {
  for (const namespaces of [[], {}]) {
    assert.deepEqual(labelsOf({ namespaces: ['a'], kinds: [cacheOf(Pod, { namespaces })] }), { '*': undefined });
  }
});

test('[CD-06, CD-07, CD-10, CD-18] a kind inherits all settings of the cache that the kind does not set', () => {
  const settings: { readonly [K in keyof Required<CacheSettings>]: readonly [CacheSettings[K], CacheSettings[K]] } = {
    labels: [{ app: 'far' }, { app: 'own' }],
    fields: [{ 'spec.nodeName': 'far' }, { 'spec.nodeName': 'own' }],
    transform: [keep, keepToo],
  };
  const scopeOf = (options: CacheOptions): InformerScope | undefined => select(options).scopes[0];
  for (const [key, [far, own]] of Object.entries(settings)) {
    const option = key as keyof CacheSettings;
    const inherited = scopeOf({ [key]: far, kinds: [cacheOf(Pod)] });
    assert.deepEqual(inherited?.[option], scopeOf({ [key]: far })?.[option]);
    assert.notEqual(inherited?.[option], undefined);
    const kept = scopeOf({ [key]: far, kinds: [cacheOf(Pod, { [key]: own })] });
    assert.deepEqual(kept?.[option], scopeOf({ [key]: own })?.[option]);
    assert.notDeepEqual(kept?.[option] === keepToo ? 'own' : kept?.[option], inherited?.[option]);
  }
  const whole: { readonly [K in 'resync' | 'keepManagedFields']: readonly [CacheOptions[K], CacheOptions[K]] } = {
    resync: ['1m', '2m'],
    keepManagedFields: [true, false],
  };
  assert.equal(select({ resync: whole.resync[0] ?? false, kinds: [cacheOf(Pod)] }).resyncMs, 60_000);
  assert.equal(select({ resync: '1m', kinds: [cacheOf(Pod, { resync: '2m' })] }).resyncMs, 120_000);
  assert.equal(select({ resync: '1m', kinds: [cacheOf(Pod, { resync: false })] }).resyncMs, undefined);
  assert.equal(select({ keepManagedFields: true, kinds: [cacheOf(Pod)] }).keepManagedFields, true);
  const kinds = [cacheOf(Pod, { keepManagedFields: false })];
  assert.equal(select({ keepManagedFields: true, kinds }).keepManagedFields, false);
  assert.deepEqual([select({}).shareValues, select({ shareValues: false, kinds }).shareValues], [true, false]);
});

test('[CD-11] a namespace of the cache inherits the selector of the cache if the namespace sets none', () => {
  assert.deepEqual(labelsOf({ labels: 'far', namespaces: { a: {}, b: { labels: 'own' } } }), { a: 'far', b: 'own' });
});

test("[CD-14, CD-15] the key '*' selects all namespaces except the listed namespaces, and also applies its own selector", () => {
  const namespaces = { '*': { fields: 'spec.nodeName=n1' }, b: { fields: 'status.phase=Running' }, a: {} };
  const excluded = 'metadata.namespace!=a,metadata.namespace!=b,spec.nodeName=n1';
  const expected = { a: undefined, b: 'status.phase=Running', '*': excluded };
  assert.deepEqual(fieldsOf({ namespaces }), expected);
  assert.deepEqual(fieldsOf({ kinds: [cacheOf(Pod, { namespaces })] }), expected);
  assert.deepEqual(fieldsOf({ namespaces: ['*'] }), { '*': undefined });
});

test('an empty selector selects all objects and overrides inherited selectors', () => {
  assert.deepEqual(labelsOf({ labels: 'far', kinds: [cacheOf(Pod, { labels: '' })] }), { '*': undefined });
  assert.deepEqual(fieldsOf({ fields: 'a=b', namespaces: { a: { fields: {} } } }), { a: undefined });
});

test('combines the selectors of a request with the selectors of the options', () => {
  const selection = select({ labels: 'far', fields: 'a=b' }, { namespaces: ['x'], labels: 'owner=me', fields: 'c=d' });
  const [scope] = selection.scopes;
  assert.deepEqual(scope, {
    namespace: 'x',
    except: [],
    labels: 'far,owner=me',
    fields: 'a=b,c=d',
    transform: undefined,
  });
  assert.equal(selection.followsCache, false);
  assert.equal(select({}).followsCache, true);
});

test('the option namespaces of the program replaces the namespaces of the cache, but their settings remain', () => {
  const namespaces = { a: { labels: 'in-a' }, b: {}, '*': { labels: 'elsewhere' } };
  const options = resolveCacheOptions({ namespaces, labels: 'far' }, ['a', 'b', 'c']);
  const { scopes } = selectInformer(options, PODS);
  assert.deepEqual(
    scopes.map((scope) => [scope.namespace, scope.labels]),
    [
      ['a', 'in-a'],
      ['b', 'far'],
      ['c', 'elsewhere'],
    ],
  );
  const listed = selectInformer(resolveCacheOptions({ namespaces: ['x'] }, ['y']), PODS);
  assert.deepEqual(
    listed.scopes.map((scope) => scope.namespace),
    ['y'],
  );
});

test('caches a cluster-scoped kind with a single watch, regardless of the namespaces of the cache', () => {
  const { scopes, followsCache } = select({ namespaces: { a: { labels: 'in-a' } }, labels: 'far' }, {}, NAMESPACES);
  assert.deepEqual(
    [scopes.map(({ namespace, labels }) => [namespace, labels]), followsCache],
    [[[undefined, 'far']], false],
  );
});

test('caches only the metadata of a kind if the options or the declared kind request only metadata', () => {
  assert.equal(select({ kinds: [cacheOf(Pod, { metadataOnly: true })] }).metadataOnly, true);
  assert.equal(select({ kinds: [cacheOf(metadataOnly(Pod))] }).metadataOnly, true);
  assert.equal(select({}, { metadataOnly: true }).metadataOnly, true);
  assert.equal(select({}).metadataOnly, false);
});

test('rejects invalid options; the error names the option and the fix', () => {
  refuses(
    { kinds: [cacheOf(Namespace, { namespaces: ['a'] })] },
    /cacheOf\(Namespace\)\.namespaces.*cluster-scoped; remove the option/,
  );
  refuses({ kinds: [cacheOf(Pod), cacheOf(metadataOnly(Pod))] }, /v1\/Pod is listed twice.*one cacheOf/);
  refuses({ labels: 'a in (' }, /cache\.labels: cannot read the label selector 'a in \(': unable to parse/);
  refuses({ kinds: [cacheOf(Secret, { fields: 'type' })] }, /cacheOf\(Secret\)\.fields: /);
  refuses(
    { namespaces: [''] },
    /cache\.namespaces: '' is not a valid namespace name; use a namespace name, '\*' for all other namespaces/,
  );
  refuses({ kinds: [cacheOf(Pod, { namespaces: { Team: {} } })] }, /cacheOf\(Pod\)\.namespaces: 'Team'/);
  refuses({ namespaces: { a: { labels: '!' } } }, /cache\.namespaces\['a'\]\.labels/);
  refuses({ resync: 'often' as never }, /cache\.resync is 'often': use at least '1s', or false/);
  refuses({ resync: '10ms' }, /cache\.resync is '10ms': use at least '1s', or false/);
});

test('rejects the option namespaces for a dynamic kind that is cluster-scoped', () => {
  const Thing = dynamicKind('example.com/v1', 'Thing');
  const options = resolveCacheOptions({ kinds: [cacheOf(Thing, { namespaces: ['a'] })] });
  assert.throws(
    () => selectInformer(options, { apiVersion: 'example.com/v1', kind: 'Thing', namespaced: false }),
    (error) => error instanceof KubewrightError && error.code === 'INVALID_CACHE',
  );
});

test('[CD-19] returns the values that a field selector requires, and omits fields that must differ from a value', () => {
  const exact = (text: string | undefined): unknown => Object.fromEntries(exactFields(text));
  assert.deepEqual(exact('a=1'), { a: '1' });
  assert.deepEqual(exact('a==1'), { a: '1' });
  assert.deepEqual(exact('a=1,b==2'), { a: '1', b: '2' });
  assert.deepEqual(exact('a!=1'), {});
  assert.deepEqual(exact(''), {});
  assert.deepEqual(exact(undefined), {});
});

const labels = fc.constantFrom<string | undefined>(undefined, '', 'one', 'two=2', 'three in (a,b)');
const settings = fc
  .record({ labels })
  .map((given): CacheSettings => (given.labels === undefined ? {} : { labels: given.labels }));
const names = fc.constantFrom('a', 'b', 'c', '*');
const namespaces = fc.oneof(
  fc.constant(undefined),
  fc.uniqueArray(names),
  fc.dictionary(names, settings, { noNullPrototype: true }),
);
type Namespaces = CacheOptions['namespaces'];

function optionsFrom(
  cache: CacheSettings,
  of: Namespaces,
  kind: CacheSettings & { readonly of: Namespaces },
): CacheOptions {
  const { of: own, ...rest } = kind;
  const options: KindCacheOptions = { ...rest, ...(own !== undefined && { namespaces: own }) };
  return {
    ...cache,
    ...(of !== undefined && { namespaces: of }),
    kinds: [cacheOf<KubeObject>(Pod, options), cacheOf(ConfigMap)],
  };
}
function settingsIn(of: Namespaces, name: string): CacheSettings | undefined {
  const entries = Array.isArray(of) ? of.map((each: string) => [each, {}] as const) : Object.entries(of ?? {});
  const found = new Map<string, CacheSettings>(entries);
  return found.get(name) ?? found.get('*');
}

test('[CD-17] each namespace uses the most specific settings and is watched once, and the options of the caller are not changed', () => {
  fc.assert(
    fc.property(settings, namespaces, settings, namespaces, (cache, of, kind, own) => {
      const given = deepFreeze(optionsFrom(cache, of, { ...kind, of: own }));
      const before = JSON.stringify(given);
      const { scopes } = select(given);
      assert.equal(JSON.stringify(given), before);
      const seen = scopes.map(({ namespace }) => namespace);
      assert.equal(new Set(seen).size, seen.length);
      const desired = own ?? of;
      for (const scope of scopes) {
        const name = scope.namespace ?? '*';
        const isNamed = scope.namespace !== undefined || settingsIn(desired, '*') !== undefined;
        const nearest = [
          isNamed ? settingsIn(own, name) : undefined,
          kind,
          isNamed || own === undefined ? settingsIn(of, name) : undefined,
          cache,
        ].find((each) => each?.labels !== undefined)?.labels;
        assert.equal(scope.labels, nearest === '' ? undefined : nearest);
        if (scope.namespace === undefined) {
          const others = seen.filter((each) => each !== undefined).toSorted();
          assert.deepEqual(scope.except, others);
          assert.equal(scope.fields ?? '', others.map((other) => `metadata.namespace!=${other}`).join(','));
        }
      }
    }),
    { numRuns: 500 },
  );
});
