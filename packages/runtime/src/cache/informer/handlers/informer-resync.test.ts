import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { HandlerRecord, InformerBench } from '../../../test-support/informer-bench.js';
import { keepBusy } from '../../../test-support/keep-busy.js';
import { configMap } from '../../../test-support/reflector-bench.js';
import type { Change } from '../../store/change.js';

/** A random value for which resync periods have no jitter. */
const EXACT = { random: () => 0.5 };

test('[CG-036] delivers all objects again after each period, until the handler is removed or the informer is closed', async () => {
  await using bench = await InformerBench.start({ ...EXACT, resyncMs: 60_000 });
  const [stays, leaves] = [new HandlerRecord(), new HandlerRecord()];
  bench.informer.addHandler(stays);
  const registration = bench.informer.addHandler(leaves);
  await bench.listed('10', [configMap('a', '1'), configMap('b', '2')]);
  await Promise.all([stays.got('synced'), leaves.got('synced')]);
  bench.clock.advance(59_999);
  assert.equal(stays.seen.at(-1), 'synced');
  bench.clock.advance(1);
  await Promise.all([stays.got('modified b:2'), leaves.got('modified b:2')]);
  registration.remove();
  bench.clock.advance(60_000);
  await stays.times('modified b:2', 2);
  assert.deepEqual(stays.seen.slice(3), ['modified a:1', 'modified b:2', 'modified a:1', 'modified b:2']);
  assert.deepEqual(leaves.seen.slice(3), ['modified a:1', 'modified b:2']);
  assert.equal(bench.server.requests, 2, 'the server receives no request');
  await bench.informer.close();
  assert.deepEqual(bench.clock.pendingMs, []);
});

test('in a resync, the old and the new object are identical, and own writes that the watch has not delivered are omitted', async () => {
  await using bench = await InformerBench.start({ ...EXACT, resyncMs: 1000 });
  const changes: Change<KubeObject>[] = [];
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      changes.push(change);
      record.onChange(change);
    },
    onSynced: () => record.onSynced(),
  });
  await bench.listed('10', [configMap('a', '1')]);
  await record.got('synced');
  bench.informer.wrote(configMap('a', '15'));
  bench.clock.advance(1000);
  await record.got('modified a:1');
  const [, again] = changes;
  assert.equal(again?.type === 'modified' && again.old, again?.object);
});

test('[CG-037] an error of a handler during a resync ends neither the watch nor later resyncs', async () => {
  await using bench = await InformerBench.start({ ...EXACT, resyncMs: 1000 });
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      if (change.type === 'modified' && change.old === change.object) throw new Error('no replays for me');
    },
  });
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await record.got('synced');
  bench.clock.advance(1000);
  await record.got('modified a:1');
  assert.equal(bench.logger.lines.filter(({ level }) => level === 'error').length, 1);
  watch.event('MODIFIED', configMap('a', '11'));
  await record.got('modified a:11');
  bench.clock.advance(1000);
  await record.times('modified a:11', 2);
  assert.equal(bench.logger.lines.filter(({ level }) => level === 'error').length, 2);
  assert.equal(bench.server.requests, 2);
});

test('[CG-086, CG-088] a handler can have its own resync period or no resyncs, also if it is added after the start', async () => {
  await using bench = await InformerBench.start({ ...EXACT, resyncMs: 60_000 });
  const records = new Map(['default', '10s', '25s', 'none', 'late'].map((name) => [name, new HandlerRecord()]));
  const record = (name: string): HandlerRecord => records.get(name) as HandlerRecord;
  bench.informer.addHandler(record('default'));
  bench.informer.addHandler(record('10s'), { resync: '10s' });
  bench.informer.addHandler(record('25s'), { resync: '25s' });
  bench.informer.addHandler(record('none'), { resync: false });
  await bench.listed('10', [configMap('a', '1')]);
  await Promise.all([...records.values()].slice(0, 4).map((each) => each.got('synced')));
  bench.informer.addHandler(record('late'), { resync: '7s' });
  await record('late').got('synced');
  bench.clock.advance(60_000);
  const replays = [...records].map(([name, { seen }]) => [name, seen.filter((text) => text === 'modified a:1').length]);
  assert.deepEqual(Object.fromEntries(replays), { default: 1, '10s': 6, '25s': 2, none: 0, late: 8 });
});

test('[CG-087] a slow handler gets no overlapping resyncs and does not delay the resyncs of other handlers', async () => {
  await using bench = await InformerBench.start({ ...EXACT, resyncMs: 1000 });
  const [slow, quick] = [new HandlerRecord(), new HandlerRecord()];
  const objects = Array.from({ length: 50 }, (_, at) => configMap(`n${at}`, '1'));
  let isSlow = false;
  bench.informer.addHandler({
    onChange: (change) => {
      keepBusy(isSlow ? 2 : 0);
      slow.onChange(change);
    },
    onSynced: () => slow.onSynced(),
  });
  bench.informer.addHandler(quick);
  await bench.listed('10', objects);
  await Promise.all([slow.got('synced'), quick.got('synced')]);
  isSlow = true;
  bench.clock.advance(1000);
  await quick.got('modified n49:1');
  assert.ok(bench.informer.waiting > 0, 'the slow handler is still busy');
  bench.clock.advance(1000);
  await Promise.all([slow.times('modified n49:1', 1), quick.times('modified n49:1', 2)]);
  const replayed = ({ seen }: HandlerRecord): number => seen.filter((text) => text.startsWith('modified')).length;
  assert.deepEqual([replayed(slow), replayed(quick)], [50, 100]);
});

test('varies the resync periods by up to 10%, so that informers that start together do not resync together', async () => {
  for (const [random, ms] of [
    [0, 54_000],
    [0.5, 60_000],
    [0.999, 65_988],
  ] as const) {
    await using bench = await InformerBench.start({ resyncMs: 60_000, random: () => random });
    bench.informer.addHandler(new HandlerRecord());
    assert.deepEqual(bench.clock.pendingMs, [ms]);
  }
});
