import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { InformerBench } from '../../test-support/informer-bench.js';
import { configMap } from '../../test-support/reflector-bench.js';
import { InformerHandle } from './informer-handle.js';

const KEY = { namespace: 'default', name: 'a' };
const at = (version: string) => (now: KubeObject) => now.metadata.resourceVersion === version;
const code =
  (expected: string, message = /./) =>
  (error: unknown) =>
    error instanceof KubewrightError && error.code === expected && message.test(error.message);

function holderOf(bench: InformerBench): InformerHandle<KubeObject> {
  return new InformerHandle(bench.informer, async () => undefined);
}

test('[CG-119] until() resolves with a state from the cache, the first list or an event, even if a later event replaces the state', async () => {
  await using bench = await InformerBench.start();
  const holder = holderOf(bench);
  const first = holder.until(KEY, at('1'));
  const brief = holder.until(KEY, at('12'));
  const again = holder.until(KEY, ({ metadata }) => metadata.uid === 'second');
  const watch = await bench.listed('10', [configMap('b', '1'), configMap('a', '1')]);
  assert.equal((await first).metadata.name, 'a');
  watch
    .event('MODIFIED', configMap('b', '11'))
    .event('MODIFIED', configMap('a', '12'))
    .event('DELETED', configMap('a', '13'))
    .event('ADDED', configMap('a', '14', { metadata: { uid: 'second' } }));
  assert.deepEqual((await brief).metadata.resourceVersion, '12');
  assert.deepEqual((await again).metadata.resourceVersion, '14');
  assert.equal((await holder.until(KEY, at('14'))).metadata.uid, 'second');
  assert.equal(bench.informer.waiting, 0);
});

test('[CG-119] untilDeleted() waits for the first list, and resolves if a new object has the same name', async () => {
  await using bench = await InformerBench.start();
  const holder = holderOf(bench);
  const reported: string[] = [];
  const deletion = holder.untilDeleted(configMap('a', '1')).then(() => reported.push('gone'));
  const never = holder.untilDeleted(configMap('never', '1')).then(() => reported.push('never'));
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await never;
  assert.deepEqual(reported, ['never']);
  watch.event('DELETED', configMap('a', '11')).event('ADDED', configMap('a', '12', { metadata: { uid: 'second' } }));
  await deletion;
  await holder.untilDeleted(configMap('a', '1'));
});

test('untilDeleted() without a uid waits until no object with this name exists', async () => {
  await using bench = await InformerBench.start();
  const holder = holderOf(bench);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await bench.informer.synced();
  const unknown = { ...configMap('a', '1'), metadata: { ...configMap('a', '1').metadata, uid: '' } };
  const late = assert.rejects(
    holder.untilDeleted(unknown, { timeout: '5s' }),
    code('WAIT_TIMEOUT', /timed out after 5s waiting for ConfigMap \S+ to be deleted/),
  );
  bench.clock.advance(5000);
  await late;
  const deletion = holder.untilDeleted(unknown);
  watch.event('DELETED', configMap('a', '11'));
  await deletion;
  await holder.untilDeleted(unknown);
});

test('[CG-119] until() ignores a state that is older than an own write', async () => {
  await using bench = await InformerBench.start();
  const holder = holderOf(bench);
  const watch = await bench.listed('10', [configMap('a', '1', { data: { done: 'no' } })]);
  await bench.informer.synced();
  const done = ({ data }: KubeObject & { data?: { done?: string } }): boolean => data?.done === 'yes';
  bench.informer.wrote(configMap('a', '15', { data: { done: 'not any more' } }));
  const waiting = holder.until(KEY, done);
  watch
    .event('MODIFIED', configMap('a', '12', { data: { done: 'yes' } }))
    .event('MODIFIED', configMap('a', '15', { data: { done: 'not any more' } }))
    .event('MODIFIED', configMap('a', '16', { data: { done: 'yes' } }));
  assert.equal((await waiting).metadata.resourceVersion, '16');
});

test('[CG-119] until() rejects after its timeout with the current state, or with the reason why no state is known', async () => {
  await using bench = await InformerBench.start();
  const holder = holderOf(bench);
  const options = { timeout: '5s' } as const;
  const unlisted = assert.rejects(
    holder.until(KEY, () => true, options),
    code(
      'WAIT_TIMEOUT',
      /timed out after 5s waiting for ConfigMap default\/a .*; the cache has not listed any objects yet/,
    ),
  );
  bench.clock.advance(5000);
  await unlisted;
  await bench.listed('10', [configMap('a', '1', { data: { password: 'hush' }, status: { phase: 'Odd' } })]);
  await bench.informer.synced();
  const odd = assert.rejects(
    holder.until(KEY, () => false, options),
    (error) =>
      code('WAIT_TIMEOUT', /at resourceVersion 1 its status is {"phase":"Odd"}/)(error) &&
      !String(error).includes('hush'),
  );
  const missing = assert.rejects(
    holder.until({ ...KEY, name: 'missing' }, () => true, options),
    code('WAIT_TIMEOUT', /the object does not exist/),
  );
  bench.clock.advance(5000);
  await Promise.all([odd, missing]);
  assert.ok(!bench.clock.pendingMs.includes(5000));
});

test('[CG-119] until() rejects if the condition throws, the signal is aborted, or the handle or the informer is closed', async () => {
  await using bench = await InformerBench.start();
  const holder = holderOf(bench);
  const watch = await bench.listed('10', [configMap('a', '1')]);
  await bench.informer.synced();
  const throwing = (now: KubeObject): boolean => {
    if (now.metadata.resourceVersion === '11') throw new Error('not like this');
    return false;
  };
  const thrown = assert.rejects(holder.until(KEY, throwing), /not like this/);
  watch.event('MODIFIED', configMap('a', '11'));
  await thrown;
  await assert.rejects(holder.until(KEY, throwing), /not like this/);
  const stop = new AbortController();
  const stopped = assert.rejects(
    holder.until(KEY, () => false, { signal: stop.signal, timeout: '1m' }),
    /enough of it/,
  );
  stop.abort(new Error('enough of it'));
  await stopped;
  await assert.rejects(
    holder.until(KEY, () => true, { signal: stop.signal }),
    /enough of it/,
  );
  const other = holderOf(bench);
  const left = assert.rejects(
    other.until(KEY, () => false),
    code('INFORMER_CLOSED'),
  );
  await other[Symbol.asyncDispose]();
  await left;
  const closed = assert.rejects(holder.untilDeleted(configMap('a', '11')), code('INFORMER_CLOSED'));
  await bench.informer.close();
  await closed;
  assert.deepEqual(bench.clock.pendingMs, []);
});
