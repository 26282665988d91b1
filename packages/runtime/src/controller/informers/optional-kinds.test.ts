import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import type { KindFollower } from '../../cache/served/served-kinds.js';
import { Disk, settle } from '../../test-support/controller-bench.js';
import { ManualClock } from '../../test-support/manual-clock.js';
import { ObjectTable } from '../../test-support/object-table.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import { OptionalKinds } from './optional-kinds.js';

/** The declarations of an optional kind, with a fake API server that serves the kind or not. */
class Bench {
  readonly clock = new ManualClock();
  readonly logger = new RecordingLogger();
  readonly changes: string[] = [];
  readonly follower = { isServed: false, doubts: 0, isDisposed: false };
  open = 0;
  opened = 0;
  /** Delays attempts to open the declarations until this promise resolves. */
  gate: Promise<void> = Promise.resolve();
  #onChange: () => void = () => undefined;
  readonly kinds = new OptionalKinds({
    clock: this.clock,
    logger: this.logger,
    onChange: (reason) => this.changes.push(reason),
    served: {
      follow: async (_, onChange): Promise<KindFollower> => {
        this.#onChange = onChange;
        const { follower } = this;
        return {
          get isServed() {
            return follower.isServed;
          },
          doubt: () => void follower.doubts++,
          [Symbol.dispose]: () => {
            follower.isDisposed = true;
          },
        };
      },
    },
  });

  add(): Promise<AsyncDisposable> {
    return this.kinds.add(Disk, async () => {
      await this.gate;
      this.open++;
      this.opened++;
      return { informer: new ObjectTable(), close: async () => void this.open-- };
    });
  }
  /** Changes whether the API server serves the kind. */
  async serve(isServed: boolean): Promise<void> {
    this.follower.isServed = isServed;
    this.#onChange();
    await settle();
  }
}

test('opens a declaration when the kind is served, closes it when the kind is no longer served, and reports both changes', async () => {
  const bench = new Bench();
  await bench.add();
  assert.equal(bench.open, 0);
  await bench.serve(true);
  assert.equal(bench.open, 1);
  await bench.serve(true);
  assert.equal(bench.opened, 1);
  await bench.serve(false);
  assert.equal(bench.open, 0);
  await bench.serve(true);
  await bench.kinds.close();
  assert.equal(bench.open, 0);
  assert.ok(bench.follower.isDisposed);
  assert.deepEqual(
    bench.changes.map((reason) => reason.replace(/^Disk of \S+ /, '')),
    ['is served', 'is no longer served', 'is served'],
  );
});

test('opens a kind that is already served before `add` resolves, and reports no change', async () => {
  const bench = new Bench();
  bench.follower.isServed = true;
  await bench.add();
  assert.equal(bench.open, 1);
  assert.deepEqual(bench.changes, []);
});

test('`add` rejects if the first attempt to open fails, and no longer tracks the kind', async () => {
  const bench = new Bench();
  bench.follower.isServed = true;
  bench.gate = Promise.reject(new KubewrightError('KIND_NOT_SERVED', 'not yet'));
  await assert.rejects(bench.add(), { code: 'KIND_NOT_SERVED' });
  assert.ok(bench.follower.isDisposed);
});

test('retries opening with back-off after a later failure, and checks again whether the kind is served', async () => {
  const bench = new Bench();
  await bench.add();
  bench.gate = Promise.reject(new KubewrightError('KIND_NOT_SERVED', 'not yet'));
  await bench.serve(true);
  assert.equal(bench.open, 0);
  assert.equal(bench.follower.doubts, 1);
  bench.gate = Promise.resolve();
  bench.clock.advance(1600);
  await settle();
  assert.equal(bench.open, 1);
});

test('leaves nothing open if the kind is removed or the controller is closed while a declaration is being opened', async () => {
  const bench = new Bench();
  await bench.add();
  let pass = (): void => undefined;
  bench.gate = new Promise((resolve) => {
    pass = resolve;
  });
  await bench.serve(true);
  await bench.serve(false);
  pass();
  await settle();
  assert.deepEqual([bench.opened, bench.open], [1, 0]);

  bench.gate = new Promise((resolve) => {
    pass = resolve;
  });
  await bench.serve(true);
  const closed = bench.kinds.close();
  pass();
  await closed;
  assert.deepEqual([bench.opened, bench.open], [2, 0]);
});
