import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import fc from 'fast-check';
import { HandlerRecord, InformerBench } from '../../test-support/informer-bench.js';
import { configMap } from '../../test-support/reflector-bench.js';
import type { Exchange } from '../../test-support/scripted-server.js';
import type { Change } from '../store/change.js';

/** A change on the server that the watch delivers or omits, or an action of the watch itself. */
type Step =
  | { readonly does: 'write' | 'delete' | 'recreate'; readonly name: string; readonly isReported: boolean }
  | { readonly does: 'bookmark' | 'end' | 'expire' };

const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: changeOf('write') },
    { weight: 3, arbitrary: changeOf('delete') },
    { weight: 2, arbitrary: changeOf('recreate') },
    { weight: 2, arbitrary: fc.constantFrom<Step>({ does: 'bookmark' }, { does: 'end' }, { does: 'expire' }) },
  ),
  { maxLength: 30 },
);

function changeOf(does: 'write' | 'delete' | 'recreate'): fc.Arbitrary<Step> {
  return fc.record({ does: fc.constant(does), name: fc.constantFrom('a', 'b', 'c'), isReported: fc.boolean() });
}

/** A server whose watch omits some changes. Only the next list contains these changes. */
class LossyServer {
  readonly objects = new Map<string, KubeObject>();
  readonly #bench: InformerBench;
  #watch: Exchange;
  #version = 10;
  #uids = 0;

  constructor(bench: InformerBench, watch: Exchange) {
    this.#bench = bench;
    this.#watch = watch;
  }

  async take(step: Step): Promise<void> {
    switch (step.does) {
      case 'write':
        return this.#write(step.name, step.isReported);
      case 'delete':
        return this.#delete(step.name, step.isReported);
      case 'recreate':
        this.#delete(step.name, step.isReported);
        return this.#write(step.name, step.isReported);
      case 'bookmark':
        this.#watch.bookmark(String(this.#version));
        return;
      case 'end':
        // Simulates progress by changes of other kinds, because a watch without progress is resumed only after a delay.
        this.#watch.bookmark(String(++this.#version)).end();
        this.#watch = await this.#bench.server.next();
        return;
      default:
        return this.expire();
    }
  }

  /** Ends the watch because its version has expired, and responds to the list that follows. */
  async expire(): Promise<void> {
    this.#watch.errorEvent(410, 'Expired');
    await this.#bench.clock.scheduled(1);
    this.#bench.clock.advance(1);
    (await this.#bench.server.next()).list(String(++this.#version), [...this.objects.values()]);
    this.#watch = await this.#bench.server.next();
  }

  #write(name: string, isReported: boolean): void {
    const known = this.objects.get(name);
    const uid = known?.metadata.uid ?? `uid-${++this.#uids}`;
    const object = configMap(name, String(++this.#version), { metadata: { uid } });
    this.objects.set(name, object);
    if (isReported) this.#watch.event(known === undefined ? 'ADDED' : 'MODIFIED', object);
  }
  #delete(name: string, isReported: boolean): void {
    const known = this.objects.get(name);
    if (known === undefined) return;
    this.objects.delete(name);
    const { uid } = known.metadata;
    if (isReported) this.#watch.event('DELETED', configMap(name, String(++this.#version), { metadata: { uid } }));
  }
}

/** Applies the changes to a set of objects, and checks that each change fits the previous state. */
class Follower extends HandlerRecord {
  readonly objects = new Map<string, KubeObject>();

  override onChange(change: Change<KubeObject>): void {
    const { name, uid } = change.object.metadata;
    const known = this.objects.get(name);
    if (change.type === 'added') assert.equal(known, undefined, `${name} already exists`);
    else assert.equal(known?.metadata.uid, uid, `${name} was not reported before`);
    if (change.type === 'modified') assert.equal(change.old, known, 'the old object is the last reported state');
    if (change.type === 'deleted') this.objects.delete(name);
    else this.objects.set(name, change.object);
    super.onChange(change);
  }
}

test('[CG-069, CG-228] the store and the handlers reach the state of the server even if a watch omits changes', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      await using bench = await InformerBench.start({ backOff: { nextMs: () => 1 } });
      const followers = [new Follower(), new Follower()];
      const [early, late] = followers as [Follower, Follower];
      bench.informer.addHandler(early);
      const server = new LossyServer(bench, await bench.listed('10', []));
      for (const [at, step] of history.entries()) {
        if (at === Math.floor(history.length / 2)) bench.informer.addHandler(late);
        await server.take(step);
      }
      if (history.length === 0) bench.informer.addHandler(late);
      await server.take({ does: 'write', name: 'last', isReported: false });
      await server.expire();
      const last = server.objects.get('last')?.metadata.resourceVersion;
      const expected = [...server.objects.values()].map(
        ({ metadata }) => `${metadata.name}:${metadata.resourceVersion}`,
      );
      assert.deepEqual([...bench.stored].toSorted(), expected.toSorted());
      for (const follower of followers) {
        await follower.got(`added last:${last}`);
        assert.deepEqual(new Set(follower.objects.values()), new Set(bench.informer.list()));
      }
      assert.deepEqual(
        bench.logger.lines.filter(({ level }) => level === 'error'),
        [],
        'an inconsistent change is thrown and logged',
      );
    }),
    { numRuns: 60 },
  );
});
