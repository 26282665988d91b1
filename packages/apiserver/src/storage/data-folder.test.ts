import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { KubewrightError } from '@kubewright/api/errors';
import { DataFolder, type DataFolderOptions } from './data-folder.js';
import { type FolderFiles, type LogFile, systemFiles } from './log-file.js';

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

  test('restores the objects with their uids and resourceVersions, and the resourceVersion of the store', async () => {
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

  test('continues watches from a resourceVersion of the previous run, and returns 410 for older resourceVersions', async () => {
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
    third.store.create(bucket, named('b'));
    await third.durable();
    const bytes = readFileSync(log());
    await crashed(third, bytes);
    // A start after a crash compacts the log.
    await open().close();
    const last = open();
    assert.throws(() => last.store.watch(bucket, { from: '4' }, () => undefined), /too old resource version: 4 \(5\)/);
    await last.close();
  });

  test('acknowledges writes only after a sync of the disk, with one sync for all writes of one turn of the event loop', async () => {
    let syncs = 0;
    const folder = open({
      files: opening((file) => ({
        ...file,
        sync: () => {
          syncs += 1;
          return Promise.resolve();
        },
      })),
    });
    assert.equal(folder.durable(), undefined);
    for (let index = 0; index < 50; index += 1) folder.store.create(bucket, named(`n${index}`));
    assert.equal(syncs, 0);
    await folder.durable();
    assert.equal(syncs, 1);
    assert.equal(folder.durable(), undefined);
    await folder.close();
  });

  test('a data folder is readable only by its owner', async () => {
    const below = join(path, 'deep', 'down');
    const folder = open({ path: below });
    assert.equal(statSync(below).mode & 0o777, 0o700);
    assert.equal(statSync(join(below, 'objects.log')).mode & 0o777, 0o600);
    await folder.close();
  });

  test('truncates an incomplete record at the end of the log, logs a warning, and keeps all earlier records', async () => {
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
        assert.ok(
          warning?.startsWith(`truncated ${log()} at byte ${size}: the ${length - size} bytes after it`),
          warning,
        );
      await after.close();
    }
  });

  test('truncates zero bytes that a file system leaves at the end of the log after a crash', async () => {
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

  test('truncates the log at a gap in the unacknowledged writes, and drops the writes after the gap', async () => {
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

  test('rejects damage to acknowledged data and reports the file and the byte', async () => {
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

  test('rejects a log with an incomplete snapshot, because a snapshot is complete before its file becomes the log', async () => {
    const folder = open();
    for (const name of ['a', 'b']) folder.store.create(bucket, named(name));
    await folder.durable();
    await crashed(folder, readFileSync(log()));
    await open().close();
    const snapshot = readFileSync(log());
    const second = snapshot.indexOf('\n', snapshot.indexOf('\n') + 1) + 1;
    truncateSync(log(), second + 10);
    assert.throws(open, new RegExp(`is damaged at byte ${second}`));
  });

  test('rejects writes while the disk is full, and accepts writes when disk space is available again', async () => {
    let room = Number.POSITIVE_INFINITY;
    const folder = open({ files: withRoom(() => room) });
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
      assert.throws(write, /the write was not stored: ENOSPC/);
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
      /^cannot write to .*objects\.log: ENOSPC.*; all writes fail until the disk is writable$/,
    );
    assert.match(warnings[1] ?? '', /writes to .*objects\.log work again$/);
    const bytes = readFileSync(log());
    await crashed(folder, bytes);
    const after = open();
    assert.deepEqual(names(after), ['a', 'c']);
    assert.equal(warnings.length, 2);
    await after.close();
  });

  test('rejects writes after a disk failure until the folder is reopened', async () => {
    let failing = false;
    const folder = open({
      files: opening((file) => ({
        ...file,
        sync: () => (failing ? Promise.reject(new Error('EIO: i/o error, fdatasync')) : file.sync()),
      })),
    });
    folder.store.create(bucket, named('a'));
    await folder.durable();
    failing = true;
    folder.store.create(bucket, named('b'));
    await assert.rejects(async () => folder.durable(), { code: 'WRITE_RESULT_UNKNOWN' });
    failing = false;
    assert.throws(() => folder.store.create(bucket, named('c')), { code: 'WRITE_RESULT_UNKNOWN' });
    await assert.rejects(async () => folder.durable(), { code: 'WRITE_RESULT_UNKNOWN' });
    assert.match(warnings.join(), /cannot flush .*objects\.log up to byte \d+; .*EIO/);
    await folder.close();
    const after = open();
    assert.ok(names(after).includes('a'));
    assert.ok(!names(after).includes('c'));
    after.store.create(bucket, named('d'));
    await after.durable();
    await after.close();
  });

  test('rewrites the log during writes and keeps every write', async () => {
    const folder = open({ leastGrowth: 20_000 });
    const inodes = new Set<number>();
    const isRewritten = (): boolean => inodes.size > 1 && statSync(log()).size < 80_000;
    // On a slow disk, more writes are appended to the log before the new log replaces it.
    for (let round = 0; round < 300 || !isRewritten(); round += 1) {
      const name = `n${round % 20}`;
      if (folder.store.get(bucket, key(name)) === undefined) folder.store.create(bucket, named(name));
      else if (round % 7 === 0) folder.store.delete(bucket, key(name));
      else folder.store.update(bucket, named(name, `${round} ${'x'.repeat(500)}`));
      await folder.durable();
      inodes.add(statSync(log()).ino);
    }
    const before = folder.store.list(bucket);
    const bytes = readFileSync(log());
    await crashed(folder, bytes);
    const after = open();
    assert.deepEqual(structuredClone(after.store.list(bucket)), before);
    assert.deepEqual(warnings, []);
    await after.close();
  });

  test('continues with the old log if there is no disk space for a new log', async () => {
    let full = false;
    const folder = open({
      leastGrowth: 5000,
      files: opening((file, { fresh }) => {
        const write = (): never => {
          throw new Error('ENOSPC: no space left on device, write');
        };
        return full && fresh ? { ...file, write } : file;
      }),
    });
    full = true;
    for (let index = 0; index < 40; index += 1) {
      folder.store.create(bucket, named(`n${index}`, 'x'.repeat(500)));
      await folder.durable();
    }
    assert.match(warnings[0] ?? '', /^cannot compact .*objects\.log: ENOSPC.*; the file continues to grow$/);
    await folder.close();
    assert.deepEqual(
      readdirSync(path).filter((name) => name !== 'objects.log'),
      [],
    );
    const after = open();
    assert.equal(names(after).length, 40);
    await after.close();
  });

  test('on a full disk, opens the existing log and drops the incomplete record at the end of the log', async () => {
    const folder = open();
    folder.store.create(bucket, named('a'));
    await folder.durable();
    const bytes = readFileSync(log());
    await crashed(folder, Buffer.concat([bytes, Buffer.from('torn')]));
    const full = open({ files: withRoom(() => 10) });
    assert.deepEqual(names(full), ['a']);
    assert.match(warnings[1] ?? '', /^cannot compact .*objects\.log: ENOSPC.*; the file continues to grow$/);
    assert.deepEqual(readFileSync(log()), bytes);
    assert.throws(() => full.store.create(bucket, named('b')), { code: 'DATA_NOT_WRITTEN' });
    await full.close();
    const after = open();
    assert.deepEqual(names(after), ['a']);
    await after.close();
  });

  test('a data folder is locked by one server, and the lock of an ended process is ignored', async () => {
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
    assert.throws(open, new RegExp(`in use by process ${process.ppid}; `));
    rmSync(join(path, `${hostname()}_${process.ppid}_.lock`));
    writeFileSync(join(path, 'elsewhere_1_.lock'), '');
    assert.throws(open, /in use by a process on host elsewhere; .*remove elsewhere_1_\.lock/);
  });

  test('reports a path that cannot be a data folder', () => {
    const file = join(path, 'file');
    writeFileSync(file, '');
    assert.throws(() => open({ path: join(file, 'folder') }), {
      code: 'DATA_UNUSABLE',
      message: /^cannot store data in .*: ENOTDIR/,
    });
  });
});

/** Returns files of the operating system, changed by a function when they are opened. */
function opening(change: (file: LogFile, options: { readonly fresh: boolean }) => LogFile): FolderFiles {
  return { ...systemFiles, open: (path, options) => change(systemFiles.open(path, options), options) };
}

/** Returns files on a simulated disk that has space up to the given byte of each file. */
function withRoom(room: () => number): FolderFiles {
  return opening((file) => ({
    ...file,
    write: (bytes, position) => {
      const fits = Math.min(bytes.length, room() - position);
      if (fits > 0) return file.write(bytes.subarray(0, fits), position);
      throw new Error('ENOSPC: no space left on device, write');
    },
  }));
}
