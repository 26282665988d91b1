import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import { Store } from '../../storage/store.js';
import { Registry } from '../registry.js';
import { systemContext } from '../requests/request-context.js';

const context = systemContext('test', 'create');
const key = { name: 'a', namespace: 'default' };

test('a delete keeps repeated finalizers if their names do not change', () => {
  const configMaps = new Registry({ store: new Store(), clock: new SystemClock() }).builtIn('/v1/configmaps');
  const finalizers = ['orphan', 'example.com/a', 'orphan'];
  configMaps.create({ metadata: { ...key, finalizers } }, context);
  configMaps.delete(key, {}, context);
  const marked = configMaps.get(key);
  assert.ok(marked.metadata.deletionTimestamp);
  assert.deepEqual(marked.metadata.finalizers, finalizers);
  configMaps.delete(key, {}, context);
  assert.equal(configMaps.get(key).metadata.resourceVersion, marked.metadata.resourceVersion);
});

test('a delete with another propagation policy replaces the repeated finalizers of the previous policy', () => {
  const configMaps = new Registry({ store: new Store(), clock: new SystemClock() }).builtIn('/v1/configmaps');
  configMaps.create({ metadata: { ...key, finalizers: ['orphan', 'example.com/a', 'orphan'] } }, context);
  configMaps.delete(key, { propagationPolicy: 'Foreground' }, context);
  assert.deepEqual(configMaps.get(key).metadata.finalizers, ['example.com/a', 'foregroundDeletion']);
});
