import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { finish, type Steps } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { isForbidden } from '@kubewright/api/errors';
import { bootstrap } from '../registry/bootstrap.js';
import { Registry } from '../registry/registry.js';
import { systemContext } from '../registry/requests/request-context.js';
import { Store } from '../storage/store.js';
import { builtInChecks, charges, lastChecks } from './built-in-checks.js';

const namespace = 'default';
const claim = (name: string, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, namespace, ...metadata },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});

/**
 * Creates a registry with a ResourceQuota for each entry of `hard`. The key is the name of the quota, and the value is the maximum number
 * of PersistentVolumeClaims.
 */
function startWith(hard: Readonly<Record<string, string>>) {
  const store = new Store();
  const registry = new Registry({ store, clock: new SystemClock(), admission: builtInChecks, lastChecks, charges });
  bootstrap(registry);
  const quotas = registry.builtIn('/v1/resourcequotas');
  const claims = registry.builtIn('/v1/persistentvolumeclaims');
  for (const [name, most] of Object.entries(hard)) {
    const limits = { persistentvolumeclaims: most };
    store.create(quotas.definition.storageBucket, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name, namespace, uid: name },
      spec: { hard: limits },
      status: { hard: limits, used: { persistentvolumeclaims: '0' } },
    });
  }
  const used = (): readonly unknown[] =>
    quotas
      .list({ namespace })
      .items.map(({ status }) => (status as { readonly used: Record<string, unknown> }).used['persistentvolumeclaims']);
  return { claims, used };
}

const context = () => systemContext('test', 'create');

/** Returns how often the steps yield. */
function breaks(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count += 1;
  return count;
}

describe('a quota with concurrent creations', () => {
  const total = breaks(startWith({ a: '2', b: '2' }).claims.createSteps(claim('first'), context()));

  for (let at = 0; at < total; at += 1) {
    test(`counts each object once if another object is created at yield ${at} of ${total} of the creation`, () => {
      const { claims, used } = startWith({ a: '2', b: '2' });
      const steps = claims.createSteps(claim('first'), context());
      for (let next = 0; next <= at; next += 1) steps.next();
      claims.create(claim('second'), context());
      finish(steps);
      assert.deepEqual(used(), ['2', '2']);
    });

    test(`rejects the first object if another object is created at yield ${at} of ${total} of its creation`, () => {
      const { claims, used } = startWith({ a: '2', b: '1' });
      const steps = claims.createSteps(claim('first'), context());
      for (let next = 0; next <= at; next += 1) steps.next();
      claims.create(claim('second'), context());
      assert.throws(() => finish(steps), isForbidden);
      assert.deepEqual(used(), ['1', '1']);
    });
  }
});

test('a quota does not count an object whose name already exists', () => {
  const { claims, used } = startWith({ a: '2' });
  claims.create(claim('first'), context());
  assert.throws(() => claims.create(claim('first'), context()), /already exists/);
  assert.deepEqual(used(), ['1']);
});

test('a quota does not count a dry run', () => {
  const { claims, used } = startWith({ a: '1' });
  claims.create(claim('first'), { ...context(), dryRun: true });
  assert.deepEqual(used(), ['0']);
});
