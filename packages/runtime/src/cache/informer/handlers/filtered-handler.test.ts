import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { HandlerRecord, InformerBench, words } from '../../../test-support/informer-bench.js';
import { configMap } from '../../../test-support/reflector-bench.js';
import type { Change } from '../../store/change.js';
import { filteredHandler } from './filtered-handler.js';
import { InformerHandle } from '../informer-handle.js';

test('[CG-108] reports an addition if an object starts to match the filter, and a deletion if the object stops matching', () => {
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

test('[CG-108] an iteration with a filter yields only changes of objects that match, start to match or stop matching', async () => {
  await using bench = await InformerBench.start();
  const holder = new InformerHandle(bench.informer, async () => undefined);
  const labelled = (name: string, version: string, isIn: string): ReturnType<typeof configMap> =>
    configMap(name, version, { metadata: { labels: { in: isIn } } });
  const watch = await bench.listed('10', [labelled('a', '1', 'no'), labelled('b', '2', 'yes')]);
  const changes = holder.changes({ filter: ({ metadata }) => metadata.labels?.in === 'yes' })[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    const { value } = await changes.next();
    return value && words(value as Change<KubeObject>);
  };
  assert.equal(await next(), 'added b:2 initial');
  watch.event('MODIFIED', labelled('a', '11', 'yes'));
  watch.event('MODIFIED', labelled('a', '12', 'no'));
  watch.event('MODIFIED', labelled('a', '13', 'no'));
  watch.event('DELETED', labelled('b', '14', 'yes'));
  assert.deepEqual([await next(), await next(), await next()], ['added a:11', 'deleted a:11', 'deleted b:14']);
});
