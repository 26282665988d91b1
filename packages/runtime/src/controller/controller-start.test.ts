import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { Disk, disk, machine, settle } from '../test-support/controller-bench.js';
import { WatchBench } from '../test-support/watch-bench.js';
import { Channel } from './sources/channel.js';
import type { ReconcileKey } from './watches/reconcile-key.js';
import { sourceOf } from './sources/source-of.js';
import type { Source, SourceTarget } from './sources/source.js';
import { watch } from './watches/watch-declaration.js';

const machines = ['a', 'b'].map((name) => machine(name));
const key = (name: string): ReconcileKey => ({ namespace: 'default', name });
const never = (): AbortSignal => new AbortController().signal;

/** A source that counts its starts. The test determines when the source is synced. */
class HandledSource implements Source {
  starts = 0;
  target: SourceTarget | undefined;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;
  readonly #synced = new Promise<void>((resolve, reject) => {
    this.#settle = { resolve, reject };
  });
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
  start(target: SourceTarget): void {
    this.starts++;
    this.target = target;
  }
  synced(): Promise<void> {
    return this.#synced;
  }
  arrive(): void {
    this.#settle?.resolve();
  }
  fail(error: unknown): void {
    this.#settle?.reject(error);
  }
}
/** Whether a promise is resolved after all pending microtasks. */
async function isThrough(work: Promise<unknown>): Promise<boolean> {
  let through = false;
  void work.then(() => {
    through = true;
  });
  await settle();
  return through;
}

test('[CS-07, CS-09] applies the mapper and the predicate of a source to the events of its channel', async () => {
  const [first, second] = [new Channel<string>(), new Channel<string>()];
  const bench = await WatchBench.open(
    {
      sources: [
        sourceOf('first', first, { map: (name) => [key(name)], when: (name) => name !== 'b' }),
        sourceOf('second', second, { map: () => [key('b')] }),
      ],
    },
    { machines },
  );
  await bench.start();
  await bench.reconciled();
  for (const name of ['a', 'b']) await first.send(name);
  assert.deepEqual(await bench.reconciled(), ['a']);
  await second.send('a');
  assert.deepEqual(await bench.reconciled(), ['b']);
});

test('[CS-08] rejects a source without a channel', () => {
  assert.throws(() => sourceOf('none', undefined as never), { code: 'INVALID_SOURCE', message: /source 'none'/ });
});

test('[CS-10, CS-15] the start of the controller fails with the name of the source if a source throws on start', async () => {
  const broken: Source = {
    name: 'broken',
    start: () => {
      throw new Error('no such queue');
    },
  };
  const fine = new HandledSource('fine');
  fine.arrive();
  const bench = await WatchBench.open({ sources: [fine, broken] });
  await assert.rejects(bench.sync(), { code: 'SOURCE_FAILED', message: /its source 'broken' failed: no such queue/ });
});

test('[CS-12, CS-16] a controller waits until every source is synced, and fails to start if a source cannot sync', async () => {
  const [fine, broken] = [new HandledSource('fine'), new HandledSource('broken')];
  const bench = await WatchBench.open({ sources: [fine, broken] });
  const synced = bench.sync();
  fine.arrive();
  assert.equal(await isThrough(synced.catch(() => undefined)), false);
  broken.fail(new Error('gone'));
  await assert.rejects(synced, { code: 'SOURCE_FAILED', message: /its source 'broken' failed: gone/ });
});

test('[CS-13, CS-17] a controller starts immediately if it has no sources or if all sources are synced', async () => {
  assert.equal(await isThrough((await WatchBench.open({})).sync()), true);
  const sources = ['one', 'two'].map((name) => new HandledSource(name));
  for (const source of sources) source.arrive();
  assert.equal(await isThrough((await WatchBench.open({ sources })).sync()), true);
});

test('[CS-14, CS-26] the events of a channel fill the queue before the workers start', async () => {
  const channel = new Channel();
  const bench = await WatchBench.open({ sources: [sourceOf('channel', channel)] });
  await bench.sync();
  bench.runner.enqueue(key('a'));
  await channel.send(key('b'));
  await settle();
  assert.equal(bench.runner.stats().queue.depth, 2);
  assert.deepEqual(bench.calls, []);
});

test('[CS-18, CS-19, CS-28, CS-29] starts each source only once if several callers wait for the start', async () => {
  const source = new HandledSource('once');
  const bench = await WatchBench.open({ sources: [source] });
  const waiting = [bench.sync(), bench.sync()];
  assert.deepEqual(await Promise.all(waiting.map(isThrough)), [false, false]);
  source.arrive();
  await Promise.all(waiting);
  await bench.sync();
  assert.equal(source.starts, 1);
});

test('[CS-30] starts a source and a watch that were added before the workers start', async () => {
  const source = new HandledSource('late');
  const bench = await WatchBench.open({}, { machines, disks: [disk('d')] });
  await bench.sync();
  const listening = bench.runner.listen(source, never());
  await bench.runner.watch(watch<KubeObject>(Disk, { map: () => [key('late-disk')] }), never());
  assert.equal(await isThrough(listening), false);
  source.arrive();
  await listening;
  source.target?.enqueue(key('late-source'));
  assert.equal(bench.runner.stats().queue.depth, 4);
  await assert.rejects(bench.runner.listen(new HandledSource('late'), never()), {
    code: 'INVALID_CONTROLLER',
    message: /duplicate source 'late'/,
  });
});

test('an aborted wait for the start rejects, and a later wait succeeds', async () => {
  const source = new HandledSource('slow');
  const bench = await WatchBench.open({ sources: [source] });
  const waiting = new AbortController();
  const first = bench.runner.synced(waiting.signal);
  waiting.abort(new Error('enough'));
  await assert.rejects(first, /enough/);
  source.arrive();
  await bench.sync();
  await bench.runner.stop();
});
