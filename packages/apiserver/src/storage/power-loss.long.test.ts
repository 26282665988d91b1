import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { DataFolder } from './data-folder.js';
import { type DiskOperation, MemoryDisk, type WholeNumbers } from './memory-disk.test.support.js';

/** Number of power losses of each test. KUBEWRIGHT_POWER_LOSSES sets another number. */
const losses = Number(process.env['KUBEWRIGHT_POWER_LOSSES'] ?? 10_000);
/** Seed of the first run. KUBEWRIGHT_SEED sets another seed. */
const firstSeed = Number(process.env['KUBEWRIGHT_SEED'] ?? Date.now() % 1_000_000);
const writesInRun = 60;
const bucket = '/configmaps';
const names = Array.from({ length: 6 }, (_, at) => `n${at}`);

type Content = Readonly<Record<string, string>>;

/** Returns pseudo-random whole numbers that depend only on the seed (mulberry32). */
function randomFrom(seed: number): WholeNumbers {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const open = (disk: MemoryDisk): DataFolder =>
  DataFolder.open({
    path: '/data',
    eventLogSize: 10,
    leastGrowth: 3000,
    files: disk.files,
    onWarning: () => undefined,
  });
const contentOf = ({ store }: DataFolder): Content =>
  Object.fromEntries(
    store.list(bucket).map(({ metadata, data }) => [metadata.name, (data as { readonly text: string }).text]),
  );

/** A server that writes to a disk, stops, restarts, and loses power at each operation of the disk. */
class Run {
  readonly #random: WholeNumbers;
  readonly #faults: boolean;
  #disk: MemoryDisk;
  /** The expected content of the store at each version. */
  readonly #contents = new Map<number, Content>();
  readonly #disks: { readonly disk: MemoryDisk; readonly acknowledged: number }[] = [];
  #acknowledged = 1;
  #canFail = false;
  /** Whether a sync has failed since the last start. The operating system can then return data that is not on the disk. */
  #hasLostData = false;
  /** The number of refused writes. */
  refused = 0;

  constructor(seed: number, { faults }: { readonly faults: boolean }) {
    this.#random = randomFrom(seed);
    this.#faults = faults;
    this.#disk = new MemoryDisk((operation) => this.#before(operation));
    this.#contents.set(1, {});
  }

  /** Writes in several sessions. Returns the disks after a power loss at each operation, in the order of the operations. */
  async play(): Promise<void> {
    for (let left = writesInRun; left > 0; ) {
      const folder = this.#start();
      const writes = Math.min(left, 1 + this.#random(30));
      left -= writes;
      let isKnown = true;
      for (let write = 0; write < writes && isKnown; write += 1) isKnown = await this.#write(folder);
      if (isKnown && this.#random(2) === 0) await folder.close();
      this.#disk.room = Number.POSITIVE_INFINITY;
      this.#disk = this.#disk.afterKill();
    }
  }

  /** Starts a server on each disk, and checks the content of its store. Returns the number of disks. */
  check(): number {
    for (const [at, { disk, acknowledged }] of this.#disks.entries()) {
      const folder = open(disk);
      const version = Number(folder.store.resourceVersion);
      assert.ok(version >= acknowledged, `loss ${at}: restored ${version}, acknowledged ${acknowledged}`);
      assert.deepEqual(contentOf(folder), this.#contents.get(version), `loss ${at}: content at ${version}`);
    }
    return this.#disks.length;
  }

  /**
   * Opens the folder. If the disk fails during the start, starts again with a disk that works. After a failed sync, the disk also works:
   * the administrator repairs the disk before the restart.
   */
  #start(): DataFolder {
    this.#canFail = this.#faults && !this.#hasLostData && this.#random(4) === 0;
    this.#hasLostData = false;
    try {
      return open(this.#disk);
    } catch (error) {
      assert.ok(error instanceof KubewrightError && error.code === 'DATA_UNUSABLE', String(error));
      this.#canFail = false;
      this.#disk = this.#disk.afterKill();
      return open(this.#disk);
    } finally {
      this.#canFail = this.#faults;
    }
  }

  /** Makes a write, and often waits until the write is on the disk. Returns false if the state of the disk is unknown. */
  async #write(folder: DataFolder): Promise<boolean> {
    const { store } = folder;
    const name = names[this.#random(names.length)] ?? '';
    const key = { namespace: 'default', name };
    const text = `${store.resourceVersion} ${'x'.repeat(this.#random(300))}`;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...key, uid: name }, data: { text } };
    const { [name]: old, ...others } = contentOf(folder);
    const deletes = old !== undefined && this.#random(4) === 0;
    const version = Number(store.resourceVersion);
    if (this.#faults) this.#disk.room = this.#random(8) === 0 ? this.#random(200) : Number.POSITIVE_INFINITY;
    // A power loss can keep a write that is in progress.
    this.#contents.set(version + 1, deletes ? others : { ...others, [name]: text });
    try {
      if (deletes) store.delete(bucket, key);
      else if (old === undefined) store.create(bucket, object);
      else store.update(bucket, object);
    } catch (error) {
      assert.ok(error instanceof KubewrightError, String(error));
      assert.equal(Number(store.resourceVersion), version, 'the store contains a refused write');
      this.refused += 1;
      return error.code === 'DATA_NOT_WRITTEN';
    }
    const durable = this.#acknowledge(folder);
    if (this.#random(3) === 0) return durable;
    void durable;
    if (this.#random(2) === 0) await new Promise((resolve) => setImmediate(resolve));
    return true;
  }

  async #acknowledge(folder: DataFolder): Promise<boolean> {
    const version = Number(folder.store.resourceVersion);
    try {
      await folder.durable();
    } catch (error) {
      assert.ok(error instanceof KubewrightError && error.code === 'WRITE_RESULT_UNKNOWN', String(error));
      return false;
    }
    this.#acknowledged = Math.max(this.#acknowledged, version);
    return true;
  }

  #before(operation: DiskOperation): void {
    this.#disks.push({ disk: this.#disk.afterPowerLoss(this.#random), acknowledged: this.#acknowledged });
    if (!this.#canFail || this.#random(40) > 0) return;
    this.#hasLostData ||= operation.startsWith('sync');
    throw new Error(`EIO: i/o error, ${operation}`);
  }
}

for (const { title, faults } of [
  { title: `after each of ${losses} power losses, all acknowledged writes are stored`, faults: false },
  {
    title: `after each of ${losses} power losses of a disk with I/O errors and without space, all acknowledged writes are stored`,
    faults: true,
  },
]) {
  test(title, async (t) => {
    let [checked, refused] = [0, 0];
    for (let seed = firstSeed; checked < losses; seed += 1) {
      const run = new Run(seed, { faults });
      try {
        await run.play();
        checked += run.check();
      } catch (error) {
        throw new Error(`KUBEWRIGHT_SEED=${seed}: ${(error as Error).message}`, { cause: error });
      }
      refused += run.refused;
    }
    t.diagnostic(`${checked} power losses, ${refused} refused writes`);
    assert.equal(refused > 0, faults);
  });
}
