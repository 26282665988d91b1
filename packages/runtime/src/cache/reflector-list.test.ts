import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, ReflectorBench } from '../test-support/reflector-bench.js';

test('[CG-001] one list, then one watch from its version, and events reach the store in order', async () => {
  await using bench = await ReflectorBench.start();
  const list = await bench.server.next();
  assert.equal(list.path, '/api/v1/configmaps');
  list.list('10', [configMap('a', '5')]);
  const watch = await bench.server.next();
  assert.equal(watch.query.watch, 'true');
  assert.equal(watch.query.resourceVersion, '10');
  watch
    .event('ADDED', configMap('b', '11'))
    .event('MODIFIED', configMap('b', '12'))
    .event('DELETED', configMap('a', '13'));
  await bench.told('remove a:13 @13');
  assert.deepEqual(bench.target.calls, ['replace a:5 @10', 'put b:11 @11', 'put b:12 @12', 'remove a:13 @13']);
  assert.equal(bench.server.requests, 2);
});
