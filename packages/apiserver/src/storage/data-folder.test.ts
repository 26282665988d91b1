import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { DataFolder, type DataFolderOptions } from './data-folder.js';
import { type OpenLogFile, openLogFile } from './log-file.js';

const bucket = '/configmaps';
const named = (name: string, text = '') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}` },
  data: { text },
});
const key = (name: string) => ({ namespace: 'default', name });

describe('a data folder', () => {
  let path: string;
  let warnings: string[];
  const open = (options: Partial<DataFolderOptions> = {}): DataFolder =>
    DataFolder.open({ path, eventLogSize: 100, onWarning: (message) => warnings.push(message), ...options });
  const log = (): string => join(path, 'objects.log');
  const names = (folder: DataFolder): readonly string[] =>
    folder.store.list(bucket).map((object) => object.metadata.name);
  /** Simulates a folder after a crash: the log has these bytes, and the lock of the process does not exist. */
  const crashed = async (folder: DataFolder, bytes: Buffer): Promise<void> => {
    await folder.close();
    writeFileSync(log(), bytes);
  };

  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'kubewright-data-'));
    warnings = [];
  });
  afterEach(() => rmSync(path, { recursive: true }));

  test('gives back objects, uids, versions and the version of the store', async () => {
    const first = open();
    first.store.create(bucket, { ...named('a'), big: 9007199254740993n });
    first.store.create(bucket, named('b'));
    first.store.update(bucket, named('a', 'changed'));
    first.store.delete(bucket, key('b'));
    const { resourceVersion } = first.store;
    const before = first.store.list(bucket);
    await first.close();
    const second = open();
    assert.deepEqual(structuredClone(second.store.list(bucket)), before);
    assert.equal(second.store.resourceVersion, resourceVersion);
    assert.equal(second.store.create(bucket, named('c')).metadata.resourceVersion, String(Number(resourceVersion) + 1));
    await second.close();
    assert.deepEqual(warnings, []);
  });

  test('lets watches go on from versions of the last run, and answers 410 for those before it', async () => {
    const first = open();
    first.store.create(bucket, named('a'));
    await first.close();
    const second = open();
    second.store.update(bucket, named('a', 'changed'));
    second.store.delete(bucket, key('a'));
    await second.close();
    const third = open();
    const seen: string[] = [];
    third.store.watch(bucket, { from: '2' }, ({ type, version }) => seen.push(`${type} ${version}`));
    assert.deepEqual(seen, ['MODIFIED 3', 'DELETED 4']);
    assert.throws(() => third.store.watch(bucket, { from: '1' }, () => undefined), /too old resource version: 1 \(2\)/);
    await third.close();
  });

  test('tells that a write is kept only when the disk has said so, once for all writes of a turn', async () => {
    let syncs = 0;
    const folder = open({
      openFile: (file, options) => ({
        ...openLogFile(file, options),
        sync: () => {
          syncs += 1;
          return Promise.resolve();
        },
      }),
    });
    assert.equal(folder.durable(), undefined);
    for (let index = 0; index < 50; index += 1) folder.store.create(bucket, named(`n${index}`));
    assert.equal(syncs, 0);
    await folder.durable();
    assert.equal(syncs, 1);
    assert.equal(folder.durable(), undefined);
    await folder.close();
  });

  test('is readable by its owner only', async () => {
    const below = join(path, 'deep', 'down');
    const folder = open({ path: below });
    assert.equal(statSync(below).mode & 0o777, 0o700);
    assert.equal(statSync(join(below, 'objects.log')).mode & 0o777, 0o600);
    await folder.close();
  });

  test('cuts a torn end at any byte and says where, and loses nothing before it', async () => {
    const folder = open();
    folder.store.create(bucket, named('a'));
    await folder.durable();
    const { size } = statSync(log());
    folder.store.create(bucket, named('b', 'x'.repeat(40)));
    await folder.durable();
    const bytes = readFileSync(log());
    await crashed(folder, bytes);
    for (let length = size; length <= bytes.length; length += 1) {
      writeFileSync(log(), bytes.subarray(0, length));
      warnings = [];
      const after = open();
      const torn = length > size && length < bytes.length;
      assert.deepEqual(names(after), length === bytes.length ? ['a', 'b'] : ['a']);
      const [warning] = warnings;
      assert.equal(warnings.length, torn ? 1 : 0);
      if (torn)
        assert.ok(warning?.startsWith(`cut ${log()} at byte ${size}: the ${length - size} bytes after it`), warning);
      await after.close();
    }
  });

  test('cuts an end of zeros, as a file system leaves it that knew the length but not yet the content', async () => {
    const folder = open();
    folder.store.create(bucket, named('a'));
    await folder.durable();
    const bytes = readFileSync(log());
    await crashed(folder, Buffer.concat([bytes, Buffer.alloc(5000)]));
    const after = open();
    assert.deepEqual(names(after), ['a']);
    assert.match(warnings.join(), new RegExp(`at byte ${bytes.length}: the 5000 bytes`));
    await after.close();
  });

  test('cuts a hole among writes that were never acknowledged, with what is behind it', async () => {
    const folder = open();
    folder.store.create(bucket, named('a'));
    await folder.durable();
    const { size } = statSync(log());
    folder.store.create(bucket, named('lost'));
    folder.store.create(bucket, named('behind'));
    const bytes = readFileSync(log());
    bytes.fill(0, size + 20, size + 40);
    await crashed(folder, bytes);
    const after = open();
    assert.deepEqual(names(after), ['a']);
    assert.equal(warnings.length, 1);
    await after.close();
  });

  test('refuses damage to anything that was on the disk, with file and byte', async () => {
    const folder = open();
    const ends = [statSync(log()).size];
    for (const name of ['a', 'b', 'c']) {
      folder.store.create(bucket, named(name));
      await folder.durable();
      ends.push(statSync(log()).size);
    }
    await folder.close();
    const bytes = readFileSync(log());
    for (const [index, start] of [0, ...ends.slice(0, -1)].entries()) {
      const damaged = Buffer.from(bytes);
      damaged[start + 30] = (damaged[start + 30] ?? 0) ^ 1;
      writeFileSync(log(), damaged);
      assert.throws(open, (error: unknown) => {
        assert.ok(error instanceof KubewrightError);
        assert.equal(error.code, 'DATA_CORRUPT');
        assert.ok(error.message.startsWith(`${log()} is damaged at byte ${start}, `), `${index}: ${error.message}`);
        return true;
      });
      assert.deepEqual(readFileSync(log()), damaged);
      assert.deepEqual(readdirSync(path), ['objects.log']);
    }
  });

  test('refuses a log whose beginning is cut off in the middle, since that was whole before it got its name', async () => {
    const folder = open();
    for (const name of ['a', 'b']) folder.store.create(bucket, named(name));
    await folder.close();
    await open().close();
    const snapshot = readFileSync(log());
    const second = snapshot.indexOf('\n', snapshot.indexOf('\n') + 1) + 1;
    truncateSync(log(), second + 10);
    assert.throws(open, new RegExp(`is damaged at byte ${second}`));
  });

  test('does not carry out a write for which there is no room, and goes on when there is', async () => {
    let room = Number.POSITIVE_INFINITY;
    const folder = open({ openFile: withRoom(() => room) });
    folder.store.create(bucket, named('a'));
    await folder.durable();
    const { resourceVersion } = folder.store;
    const events: string[] = [];
    folder.store.watch(bucket, { from: resourceVersion }, ({ object }) => events.push(object.metadata.name));
    room = statSync(log()).size + 10;
    for (const write of [
      () => folder.store.create(bucket, named('b')),
      () => folder.store.update(bucket, named('a', 'changed')),
      () => folder.store.delete(bucket, key('a')),
    ]) {
      assert.throws(write, /the write was not kept: ENOSPC/);
    }
    assert.equal(folder.store.resourceVersion, resourceVersion);
    assert.deepEqual(names(folder), ['a']);
    assert.equal(folder.durable(), undefined);
    room = Number.POSITIVE_INFINITY;
    folder.store.create(bucket, named('c'));
    await folder.durable();
    assert.deepEqual(events, ['c']);
    assert.equal(warnings.length, 2);
    assert.match(
      warnings[0] ?? '',
      /^cannot write to .*objects\.log: ENOSPC.*; writes are refused until that is mended$/,
    );
    assert.match(warnings[1] ?? '', /objects\.log can be written to again$/);
    const bytes = readFileSync(log());
    await crashed(folder, bytes);
    const after = open();
    assert.deepEqual(names(after), ['a', 'c']);
    assert.equal(warnings.length, 2);
    await after.close();
  });

  test('takes no write and vouches for none after the disk has failed, until it is opened again', async () => {
    let failing = false;
    const folder = open({
      openFile: (file, options) => {
        const real = openLogFile(file, options);
        return {
          ...real,
          sync: () => (failing ? Promise.reject(new Error('EIO: i/o error, fdatasync')) : real.sync()),
        };
      },
    });
    folder.store.create(bucket, named('a'));
    await folder.durable();
    failing = true;
    folder.store.create(bucket, named('b'));
    await assert.rejects(async () => folder.durable(), { code: 'DATA_UNKNOWN' });
    failing = false;
    assert.throws(() => folder.store.create(bucket, named('c')), { code: 'DATA_UNKNOWN' });
    await assert.rejects(async () => folder.durable(), { code: 'DATA_UNKNOWN' });
    assert.match(warnings.join(), /the disk refused what was written to .*objects\.log up to byte \d+; .*EIO/);
    await folder.close();
    const after = open();
    assert.ok(names(after).includes('a'));
    assert.ok(!names(after).includes('c'));
    after.store.create(bucket, named('d'));
    await after.durable();
    await after.close();
  });

  test('writes the log anew while writes go on, and keeps every one of them', async () => {
    const folder = open({ leastGrowth: 20_000 });
    const inodes = new Set<number>();
    for (let round = 0; round < 300; round += 1) {
      const name = `n${round % 20}`;
      if (folder.store.get(bucket, key(name)) === undefined) folder.store.create(bucket, named(name));
      else if (round % 7 === 0) folder.store.delete(bucket, key(name));
      else folder.store.update(bucket, named(name, `${round} ${'x'.repeat(500)}`));
      await folder.durable();
      inodes.add(statSync(log()).ino);
    }
    assert.ok(inodes.size > 1, 'the log was never replaced');
    assert.ok(statSync(log()).size < 80_000);
    const before = folder.store.list(bucket);
    const bytes = readFileSync(log());
    await crashed(folder, bytes);
    const after = open();
    assert.deepEqual(structuredClone(after.store.list(bucket)), before);
    assert.deepEqual(warnings, []);
    await after.close();
  });

  test('goes on with the old log when there is no room for a new one', async () => {
    let full = false;
    const folder = open({
      leastGrowth: 5000,
      openFile: (file, options) => {
        const real = openLogFile(file, options);
        const write = (): never => {
          throw new Error('ENOSPC: no space left on device, write');
        };
        return full && options.fresh ? { ...real, write } : real;
      },
    });
    full = true;
    for (let index = 0; index < 40; index += 1) {
      folder.store.create(bucket, named(`n${index}`, 'x'.repeat(500)));
      await folder.durable();
    }
    assert.match(warnings[0] ?? '', /^cannot write .*objects\.log anew: ENOSPC.*; it goes on growing$/);
    await folder.close();
    assert.deepEqual(
      readdirSync(path).filter((name) => name !== 'objects.log'),
      [],
    );
    const after = open();
    assert.equal(names(after).length, 40);
    await after.close();
  });

  test('begins on a full disk with the log that is there, without what is torn', async () => {
    const folder = open();
    folder.store.create(bucket, named('a'));
    await folder.durable();
    const bytes = readFileSync(log());
    await crashed(folder, Buffer.concat([bytes, Buffer.from('torn')]));
    const full = open({ openFile: withRoom(() => 10) });
    assert.deepEqual(names(full), ['a']);
    assert.match(warnings[1] ?? '', /^cannot write .*objects\.log anew: ENOSPC.*; it goes on growing$/);
    assert.deepEqual(readFileSync(log()), bytes);
    assert.throws(() => full.store.create(bucket, named('b')), { code: 'DATA_NOT_WRITTEN' });
    await full.close();
    const after = open();
    assert.deepEqual(names(after), ['a']);
    await after.close();
  });

  test('belongs to one server at a time, and is free again when its process is gone', async () => {
    const folder = open();
    assert.throws(open, (error: unknown) => {
      assert.ok(error instanceof KubewrightError);
      assert.equal(error.code, 'DATA_LOCKED');
      assert.ok(error.message.startsWith(`${path} is in use by this process; `), error.message);
      return true;
    });
    await folder.close();
    // The first lock has a process id that cannot exist. The second lock has the id of this process and another start time.
    for (const stale of [`${hostname()}_4194999_.lock`, `${hostname()}_${process.pid}_00000000-1.lock`]) {
      writeFileSync(join(path, stale), '');
      await open().close();
      assert.deepEqual(readdirSync(path), ['objects.log']);
    }
    writeFileSync(join(path, `${hostname()}_${process.ppid}_.lock`), '');
    assert.throws(open, new RegExp(`in use by the process ${process.ppid}; `));
    rmSync(join(path, `${hostname()}_${process.ppid}_.lock`));
    writeFileSync(join(path, 'elsewhere_1_.lock'), '');
    assert.throws(open, /in use by a process on the host elsewhere; .*remove elsewhere_1_\.lock/);
  });

  test('that cannot be used is an error in a sentence', () => {
    const file = join(path, 'file');
    writeFileSync(file, '');
    assert.throws(() => open({ path: join(file, 'folder') }), {
      code: 'DATA_UNUSABLE',
      message: /^cannot keep data in .*: ENOTDIR/,
    });
  });
});

/** Returns files on a simulated disk that has room up to the given byte of each file. */
function withRoom(room: () => number): OpenLogFile {
  return (path, options) => {
    const real = openLogFile(path, options);
    return {
      ...real,
      write: (bytes, position) => {
        const fits = Math.min(bytes.length, room() - position);
        if (fits > 0) return real.write(bytes.subarray(0, fits), position);
        throw new Error('ENOSPC: no space left on device, write');
      },
    };
  };
}
