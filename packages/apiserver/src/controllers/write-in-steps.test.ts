import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, type Steps } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { isConflict } from '@kubewright/api/errors';
import { bootstrap } from '../registry/bootstrap.js';
import type { ApiObject } from '../registry/json-object.js';
import { Registry } from '../registry/registry.js';
import { systemContext } from '../registry/request-context.js';
import { Store } from '../storage/store.js';
import { GarbageCollector } from './garbage-collector.js';
import { referenceText } from './object-reference.js';
import { VolumeProtection } from './volume-protection.js';

const namespace = 'default';
const context = systemContext('test', 'update');
const nothing = { add: () => undefined, addAfter: () => undefined };

function startRegistry(): Registry {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  bootstrap(registry);
  return registry;
}

/** Runs the first step, changes the object, and runs the other steps, which must end with a conflict. */
function assertConflict(steps: Steps<void>, change: () => unknown): void {
  assert.equal(steps.next().done, false);
  change();
  assert.throws(() => finish(steps), isConflict);
}

test('the protection of volumes does not overwrite a claim that changes between its steps', () => {
  const registry = startRegistry();
  const claims = registry.builtIn('/v1/persistentvolumeclaims');
  const finalizers = ['kubernetes.io/pvc-protection'];
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  claims.create(
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a', namespace, finalizers }, spec },
    context,
  );
  const key = { name: 'a', namespace };
  claims.delete(key, {}, context);
  const index = { inNamespace: () => [] };
  const protection = new VolumeProtection({ registry, index } as never);
  const sync = (): Steps<void> => protection.sync(referenceText(claims.definition.storageBucket, key));
  const label = (live: ApiObject): object => ({ ...live, metadata: { ...live.metadata, labels: { a: 'b' } } });
  assertConflict(sync(), () => claims.update(key, label, context));
  assert.deepEqual(claims.get(key).metadata.finalizers, finalizers);
  finish(sync());
  assert.equal(claims.find(key), undefined);
});

test('the garbage collector does not overwrite owners that change between its steps', () => {
  const registry = startRegistry();
  const configMaps = registry.builtIn('/v1/configmaps');
  const create = (name: string, metadata: object): ApiObject =>
    configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, ...metadata } }, context);
  const { uid } = create('owner', {}).metadata;
  const ownerOf = (name: string, ownerUid: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: ownerUid });
  const dependent = create('dependent', { ownerReferences: [ownerOf('owner', uid)] });
  configMaps.delete({ name: 'owner', namespace }, { propagationPolicy: 'Orphan' }, context);
  const { storageBucket: bucket } = configMaps.definition;
  const collector = new GarbageCollector({ registry } as never);
  for (const object of registry.store.list(bucket)) {
    collector.observe({ type: 'ADDED', bucket, object } as never, nothing);
  }
  const other = create('other', {});
  const sync = (): Steps<void> => collector.sync(referenceText(bucket, { name: 'owner', namespace }));
  const adopt = (live: ApiObject): object => ({
    ...live,
    metadata: { ...live.metadata, ownerReferences: [ownerOf('owner', uid), ownerOf('other', other.metadata.uid)] },
  });
  assertConflict(sync(), () => configMaps.update(dependent.metadata, adopt, context));
  finish(sync());
  const { ownerReferences = [] } = configMaps.get(dependent.metadata).metadata;
  assert.deepEqual(
    ownerReferences.map(({ name }) => name),
    ['other'],
  );
});
