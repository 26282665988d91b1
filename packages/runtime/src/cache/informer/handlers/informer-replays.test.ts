import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { HandlerRecord, InformerBench, words } from '../../../test-support/informer-bench.js';
import { keepBusy } from '../../../test-support/keep-busy.js';
import { configMap } from '../../../test-support/reflector-bench.js';
import type { Change } from '../../store/change.js';

/** A resync period of 1 s, and a random value for which resync periods have no jitter. */
const EXACT = { random: () => 0.5, resyncMs: 1000 };
/** The delay in milliseconds between the end of an expired watch and the next list, with the random value of `EXACT`. */
const DELAY_MS = 1200;

test('[CG-056] a resync contains neither deleted objects nor own writes that the watch has not delivered', async () => {
  await using bench = await InformerBench.start(EXACT);
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', []);
  await record.got('synced');
  bench.informer.wrote(configMap('own', '30'));
  bench.clock.advance(1000);
  watch
    .event('ADDED', configMap('gone', '11'))
    .event('ADDED', configMap('a', '12'))
    .event('DELETED', configMap('gone', '13'));
  await record.got('deleted gone:13');
  bench.clock.advance(1000);
  await record.got('modified a:12');
  assert.deepEqual(record.seen, ['synced', 'added gone:11', 'added a:12', 'deleted gone:13', 'modified a:12']);
});

test('[CG-057] delivers a change that occurs during a resync exactly once, and delivers the newest state last', async () => {
  await using bench = await InformerBench.start(EXACT);
  const record = new HandlerRecord();
  const olds: string[] = [];
  bench.informer.addHandler({
    onChange: (change) => {
      keepBusy(5);
      if (change.type === 'modified') olds.push(`${words(change)} old ${change.old.metadata.resourceVersion}`);
      record.onChange(change);
    },
    onSynced: () => record.onSynced(),
  });
  const objects = Array.from({ length: 10 }, (_, at) => configMap(`n${at}`, '1'));
  const watch = await bench.listed('10', objects);
  await record.got('synced');
  bench.clock.advance(1000);
  watch.event('MODIFIED', configMap('n9', '11'));
  await record.got('modified n9:11');
  assert.deepEqual(olds.slice(-2), ['modified n9:1 old 1', 'modified n9:11 old 1']);
  assert.deepEqual(bench.stored.at(-1), 'n9:11');
});

test('[CG-066] a resync delivers the objects that the store has at the start of the resync, and later changes follow after the resync', async () => {
  await using bench = await InformerBench.start(EXACT);
  const [record, quick] = [new HandlerRecord(), new HandlerRecord()];
  bench.informer.addHandler({
    onChange: (change) => {
      keepBusy(5);
      record.onChange(change);
    },
    onSynced: () => record.onSynced(),
  });
  bench.informer.addHandler(quick, { resync: false });
  const objects = Array.from({ length: 20 }, (_, at) => configMap(`n${at}`, '1'));
  const watch = await bench.listed('10', objects);
  await record.got('synced');
  bench.clock.advance(1000);
  watch.event('DELETED', configMap('n19', '11')).event('ADDED', configMap('new', '12'));
  await quick.got('added new:12');
  await record.got('added new:12');
  assert.deepEqual(record.seen.slice(21), [
    ...objects.map(({ metadata }) => `modified ${metadata.name}:1`),
    'deleted n19:11',
    'added new:12',
  ]);
});

test('[CG-055, CG-071] transforms each received object once, and not again for resyncs, later handlers and deletions found by a list', async () => {
  const calls: string[] = [];
  await using bench = await InformerBench.start({
    ...EXACT,
    transform: (object) => {
      const { annotations } = object.metadata;
      calls.push(
        `${object.metadata.name}:${object.metadata.resourceVersion}${annotations === undefined ? '' : ' again'}`,
      );
      return { ...object, metadata: { ...object.metadata, annotations: { transformed: 'yes' } } };
    },
  });
  const changes: Change<KubeObject>[] = [];
  const record = new HandlerRecord();
  const handler = {
    onChange: (change: Change<KubeObject>) => {
      changes.push(change);
      record.onChange(change);
    },
    onSynced: () => record.onSynced(),
  };
  bench.informer.addHandler(handler);
  const watch = await bench.listed('10', [configMap('a', '1'), configMap('b', '2')]);
  watch
    .event('MODIFIED', configMap('b', '11'))
    .event('ADDED', configMap('c', '12'))
    .event('DELETED', configMap('c', '13'));
  await record.got('deleted c:13');
  bench.clock.advance(1000);
  await record.got('modified b:11');
  bench.informer.addHandler(handler, { resync: false });
  await record.got('synced');
  watch.errorEvent(410, 'Expired');
  await bench.clock.scheduled(DELAY_MS);
  bench.clock.advance(DELAY_MS);
  (await bench.server.next()).list('20', [configMap('b', '14')]);
  await record.times('deleted a:1 stale', 2);
  assert.deepEqual(calls, ['a:1', 'b:2', 'b:11', 'c:12', 'c:13', 'b:14']);
  for (const { object } of changes)
    assert.deepEqual(object.metadata.annotations, { transformed: 'yes' }, 'tombstones are transformed, too');
});

test('[CG-071] handlers that are added during events, and reads, receive only transformed objects', async () => {
  await using bench = await InformerBench.start({
    transform: (object) => ({ ...object, data: { small: 'yes' } }) as KubeObject,
  });
  const plain: string[] = [];
  const look = (object: KubeObject): void => {
    if ((object as { data?: { small?: string } }).data?.small !== 'yes') plain.push(object.metadata.name);
  };
  const last = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      look(change.object);
      for (const object of bench.informer.list()) look(object);
      bench.informer.addHandler({ onChange: ({ object }) => look(object) });
      last.onChange(change);
    },
  });
  const watch = await bench.listed('10', [configMap('a', '1', { data: { large: 'x' } })]);
  bench.informer.wrote(configMap('own', '90', { data: { large: 'x' } }));
  for (let version = 11; version < 31; version++)
    watch.event('MODIFIED', configMap('a', String(version), { data: {} }));
  await last.got('modified a:30');
  assert.deepEqual(plain, []);
  assert.deepEqual(bench.stored, ['a:30', 'own:90']);
});
