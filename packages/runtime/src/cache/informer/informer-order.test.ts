import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { HandlerRecord, InformerBench, words } from '../../test-support/informer-bench.js';
import { keepBusy } from '../../test-support/keep-busy.js';
import { configMap } from '../../test-support/reflector-bench.js';
import type { Change } from '../store/change.js';
import { index } from '../store/index-declaration.js';
import { InformerHandle } from './informer-handle.js';

const key = (name: string) => ({ namespace: 'default', name });

/** Blocks the event loop for each change, so that later changes are queued. */
class Held extends HandlerRecord {
  override onChange(change: Change<KubeObject>): void {
    keepBusy(5);
    super.onChange(change);
  }
}

test('[CG-051, CG-060] delivers every change of every object in order, and never combines changes', async () => {
  await using bench = await InformerBench.start();
  const [record, held] = [new HandlerRecord(), new Held()];
  bench.informer.addHandler(held);
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1'), configMap('b', '2')]);
  watch
    .event('MODIFIED', configMap('a', '11'))
    .event('MODIFIED', configMap('a', '12'))
    .event('MODIFIED', configMap('b', '13'))
    .event('DELETED', configMap('a', '14'))
    .event('ADDED', configMap('a', '15', { metadata: { uid: 'second' } }))
    .event('MODIFIED', configMap('b', '16'))
    .event('MODIFIED', configMap('a', '17', { metadata: { uid: 'second' } }));
  const expected = [
    'added a:1 initial',
    'added b:2 initial',
    'synced',
    'modified a:11',
    'modified a:12',
    'modified b:13',
    'deleted a:14',
    'added a:15',
    'modified b:16',
    'modified a:17',
  ];
  for (const each of [record, held]) {
    await each.got('modified a:17');
    assert.deepEqual(each.seen, expected);
  }
});

test('[CG-060] if a handler causes a change, all handlers receive that change after the current change', async () => {
  await using bench = await InformerBench.start({ namespaces: ['one', 'two'] });
  const inOf = (namespace: string, name: string, version: string) =>
    configMap(name, version, { metadata: { namespace } });
  const record = new HandlerRecord();
  let removed: Promise<void> | undefined;
  bench.informer.addHandler({
    onChange: (change) => {
      if (change.type === 'modified') removed = bench.informer.removeScope('two');
    },
  });
  bench.informer.addHandler(record);
  bench.informer.start();
  const lists = [await bench.server.next(), await bench.server.next()];
  for (const list of lists) {
    const name = list.path.includes('/one/') ? 'one' : 'two';
    list.list('10', [inOf(name, name, '1')]);
  }
  const watches = [await bench.server.next(), await bench.server.next()];
  await record.got('synced');
  watches.find(({ path }) => path.includes('/one/'))?.event('MODIFIED', inOf('one', 'one', '11'));
  await record.got('deleted two:1 stale');
  await removed;
  assert.deepEqual(record.seen.slice(3), ['modified one:11', 'deleted two:1 stale']);
});

test('[CG-052] reports an addition and then a deletion if an undelivered object is missing in the next list', async () => {
  await using bench = await InformerBench.start();
  const held = new Held();
  const many = Array.from({ length: 40 }, (_, at) => configMap(`n${at}`, '1'));
  bench.informer.addHandler(held);
  const watch = await bench.listed('10', many);
  watch.event('ADDED', configMap('brief', '11'));
  await bench.relisted(watch, '20', many);
  await held.got('deleted brief:11 stale');
  assert.deepEqual(held.seen.slice(-2), ['added brief:11', 'deleted brief:11 stale']);
});

test('[CG-053] does not report a queued deletion again after the next list', async () => {
  await using bench = await InformerBench.start();
  const held = new Held();
  const many = Array.from({ length: 40 }, (_, at) => configMap(`n${at}`, '1'));
  bench.informer.addHandler(held);
  const watch = await bench.listed('10', [...many, configMap('gone', '2')]);
  watch.event('DELETED', configMap('gone', '11'));
  const again = await bench.relisted(watch, '20', many);
  again.event('ADDED', configMap('last', '21'));
  await held.got('added last:21');
  assert.deepEqual(
    held.seen.filter((text) => text.startsWith('deleted')),
    ['deleted gone:11'],
  );
});

test('[CG-054, CG-227] reports a stale deletion with the last known state of an object that is missing in a list', async () => {
  await using bench = await InformerBench.start();
  const changes: Change<KubeObject>[] = [];
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      changes.push(change);
      record.onChange(change);
    },
  });
  const watch = await bench.listed('10', [configMap('gone', '1'), configMap('stays', '2')]);
  watch.event('MODIFIED', configMap('gone', '11', { data: { last: 'known' } }));
  await record.got('modified gone:11');
  const known = bench.informer.get(key('gone'));
  await bench.relisted(watch, '20', [configMap('stays', '2')]);
  await record.got('deleted gone:11 stale');
  assert.deepEqual(changes.at(-1), { type: 'deleted', object: known, stale: true });
  assert.equal(changes.at(-1)?.object, known);
  assert.deepEqual(bench.stored, ['stays:2']);
});

test('[CG-061, CG-074] each change contains the key of its object, for deletion events and for deletions found by a list', async () => {
  await using bench = await InformerBench.start();
  const { namespace: _, ...metadata } = configMap('cluster', '3').metadata;
  const clusterScoped = { ...configMap('cluster', '3'), metadata };
  const keys: string[] = [];
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      const { namespace = '-', name, uid } = change.object.metadata;
      keys.push(`${change.type} ${namespace} ${name} ${uid}`);
      record.onChange(change);
    },
  });
  const watch = await bench.listed('10', [configMap('seen', '1'), configMap('missing', '2'), clusterScoped]);
  watch.event('DELETED', configMap('seen', '11'));
  await bench.relisted(watch, '20', []);
  await record.got('deleted cluster:3 stale');
  assert.deepEqual(keys.slice(3), [
    'deleted default seen uid-seen',
    'deleted default missing uid-missing',
    'deleted - cluster uid-cluster',
  ]);
});

test('[CG-063] delivers many changes in slices without dropping a change, and delivers the initial list before later changes', async () => {
  await using bench = await InformerBench.start();
  const held = new Held();
  const many = Array.from({ length: 20 }, (_, at) => configMap(`n${at}`, '1'));
  bench.informer.addHandler(held);
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const watch = await bench.listed('10', many);
  for (let version = 11; version < 21; version++) watch.event('MODIFIED', configMap('n3', String(version)));
  await held.got('modified n3:20');
  isDone = true;
  const versions = Array.from({ length: 10 }, (_, at) => `modified n3:${11 + at}`);
  assert.deepEqual(held.seen, [
    ...many.map(({ metadata }) => `added ${metadata.name}:1 initial`),
    'synced',
    ...versions,
  ]);
  assert.ok(turns >= 10, `others had ${turns} turns`);
});

test('[CG-064] ignores an invalid object in a list or an event, and delivers all other objects', async () => {
  await using bench = await InformerBench.start({
    transform: (object) => {
      if (object.metadata.name === 'fails') throw new Error('not this one');
      return object;
    },
  });
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  const nameless = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { uid: 'x', resourceVersion: '7' } };
  bench.informer.start();
  (await bench.server.next()).list('10', [configMap('a', '1'), nameless, configMap('fails', '2'), configMap('b', '3')]);
  (await bench.server.next())
    .event('ADDED', configMap('c', '11'))
    .event('ADDED', nameless)
    .event('MODIFIED', configMap('fails', '12'))
    .event('ADDED', configMap('d', '13'));
  await record.got('added d:13');
  assert.deepEqual(record.seen, ['added a:1 initial', 'added b:3 initial', 'synced', 'added c:11', 'added d:13']);
  const errors = bench.logger.lines.filter(({ level }) => level === 'error').map(({ message }) => message);
  assert.deepEqual(errors, [
    'ignored an object because it has no name',
    'ignored an object because its transform failed',
    'ignored an object because it has no name',
    'ignored an object because its transform failed',
  ]);
});

test('[CG-065] a list replaces the stored objects in one step, after the delivery of earlier changes', async () => {
  await using bench = await InformerBench.start();
  const states = new Set<string>();
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      record.onChange(change);
      if (record.seen.length > 4) states.add(bench.stored.toSorted().join(' '));
    },
  });
  const watch = await bench.listed('10', [configMap('a', '1'), configMap('b', '2'), configMap('c', '3')]);
  watch.event('MODIFIED', configMap('a', '11'));
  await record.got('modified a:11');
  const again = await bench.relisted(watch, '20', [configMap('b', '12'), configMap('c', '13'), configMap('d', '14')]);
  await record.got('added d:14');
  again.event('MODIFIED', configMap('d', '21'));
  await record.got('modified d:21');
  assert.deepEqual(record.seen.slice(3), [
    'modified a:11',
    'deleted a:11 stale',
    'modified b:12',
    'modified c:13',
    'added d:14',
    'modified d:21',
  ]);
  assert.deepEqual([...states], ['b:12 c:13 d:14', 'b:12 c:13 d:21']);
});

test('[CG-068] a list reports deletions first, then changes with their old states and additions, in the order of the list', async () => {
  await using bench = await InformerBench.start();
  const reported: string[] = [];
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      const old = change.type === 'modified' ? ` old ${change.old.metadata.resourceVersion}` : '';
      reported.push(`${words(change)}${old}`);
      record.onChange(change);
    },
  });
  const watch = await bench.listed(
    '10',
    ['1', '2', '3', '4'].map((version) => configMap(`o${version}`, version)),
  );
  watch.event('MODIFIED', configMap('o2', '11'));
  await bench.relisted(watch, '20', [
    configMap('new', '15'),
    configMap('o2', '16'),
    configMap('o3', '3'),
    configMap('o4', '17', { metadata: { uid: 'another' } }),
    configMap('newer', '18'),
  ]);
  await record.got('added newer:18');
  assert.deepEqual(reported.slice(4), [
    'modified o2:11 old 2',
    'deleted o4:4 stale',
    'deleted o1:1 stale',
    'added new:15',
    'modified o2:16 old 11',
    'added o4:17',
    'added newer:18',
  ]);
});

test('[CG-067] delivered changes match the stored and indexed objects, even if an object is invalid or an index or a handler throws', async () => {
  await using bench = await InformerBench.start();
  const byName = index<KubeObject>({ apiVersion: 'v1', kind: 'ConfigMap' } as never, 'name', ({ metadata }) => {
    if (metadata.name === 'b') throw new Error('not by this one');
    return metadata.name;
  });
  bench.informer.addIndex(byName);
  const reported = new Map<string, string>();
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: () => {
      throw new Error('no changes for me');
    },
  });
  bench.informer.addHandler({
    onChange: (change) => {
      const { name, resourceVersion } = change.object.metadata;
      if (change.type === 'deleted') reported.delete(name);
      else reported.set(name, resourceVersion);
      record.onChange(change);
    },
  });
  const watch = await bench.listed('10', [configMap('a', '1'), configMap('b', '2'), configMap('c', '3')]);
  watch
    .event('MODIFIED', configMap('b', '11'))
    .event('ADDED', { ...configMap('', '12') })
    .event('DELETED', configMap('c', '13'))
    .event('ADDED', configMap('d', '14'));
  await record.got('added d:14');
  assert.deepEqual(
    bench.stored,
    [...reported].map(([name, version]) => `${name}:${version}`),
  );
  assert.deepEqual(bench.stored, ['a:1', 'b:11', 'd:14']);
  assert.deepEqual(bench.informer.byIndex(byName('d')).length, 1);
  assert.deepEqual(bench.informer.byIndex(byName('c')), []);
  assert.deepEqual(bench.informer.byIndex(byName('b')), []);
});

test('[CG-070] logs an error of a handler with the change, and an error in a loop over changes ends the loop', async () => {
  await using bench = await InformerBench.start();
  const record = new HandlerRecord();
  bench.informer.addHandler({
    onChange: (change) => {
      if (change.type === 'modified') throw new Error('broken');
    },
  });
  bench.informer.addHandler(record);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  watch.event('MODIFIED', configMap('a', '11')).event('MODIFIED', configMap('a', '12'));
  await record.got('modified a:12');
  const errors = bench.logger.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields);
  assert.deepEqual(
    errors.map(({ error, ...fields }) => [String(error), fields]),
    Array.from({ length: 2 }, () => [
      'Error: broken',
      { change: 'modified', kind: 'ConfigMap', namespace: 'default', name: 'a' },
    ]),
  );
  const holder = new InformerHandle(bench.informer, async () => undefined);
  const loop = async (): Promise<void> => {
    for await (const change of holder.changes()) throw new Error(`no use for ${words(change)}`);
  };
  await assert.rejects(loop(), /no use for added a:12 initial/);
  watch.event('MODIFIED', configMap('a', '13'));
  await record.got('modified a:13');
  assert.equal(bench.informer.waiting, 0);
});

test('after the server is restored, reads do not return own writes from before the restore', async () => {
  await using bench = await InformerBench.start();
  const watch = await bench.listed('10', [configMap('a', '5')]);
  await bench.informer.synced();
  bench.informer.wrote(configMap('a', '15'));
  bench.informer.wrote(configMap('own', '16'));
  bench.informer.deleted({ namespace: 'default', name: 'a' }, { resourceVersion: '17' });
  const record = new HandlerRecord();
  bench.informer.addHandler(record);
  await record.got('synced');
  await bench.relisted(watch, '8', [configMap('a', '4')]);
  await record.got('modified a:4');
  assert.deepEqual(bench.stored, ['a:4']);
});
