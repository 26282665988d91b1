import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HandlerRecord } from '../test-support/informer-bench.js';
import { configMap } from '../test-support/reflector-bench.js';
import { filteredHandler } from './filtered-handler.js';

test('[CG-108] a change that crosses the filter is an addition or a deletion to the handler', () => {
  const record = new HandlerRecord();
  const handler = filteredHandler((object) => object.metadata.labels?.in === 'yes', record);
  const [out1, in2, in3, out4] = ['1', '2', '3', '4'].map((version, i) =>
    configMap('a', version, { metadata: { labels: { in: i === 1 || i === 2 ? 'yes' : 'no' } } }),
  ) as [
    ReturnType<typeof configMap>,
    ReturnType<typeof configMap>,
    ReturnType<typeof configMap>,
    ReturnType<typeof configMap>,
  ];
  handler.onChange({ type: 'added', object: out1, initial: true });
  handler.onChange({ type: 'modified', old: out1, object: in2 });
  handler.onChange({ type: 'modified', old: in2, object: in3 });
  handler.onChange({ type: 'modified', old: in3, object: out4 });
  handler.onChange({ type: 'deleted', object: out4, stale: true });
  handler.onChange({ type: 'deleted', object: in3, stale: true });
  handler.onSynced?.();
  assert.deepEqual(record.seen, ['added a:2', 'modified a:3', 'deleted a:3', 'deleted a:3 stale', 'synced']);
});
