import type { FolderFiles, LogFile } from './log-file.js';

/** One change of a file after its last sync. */
type Change =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly length: number };

/** A file on the disk. `synced` survives a power loss. Each later change survives completely, partly or not at all. */
interface StoredFile {
  synced: Buffer;
  changes: readonly Change[];
  /** The content that the operating system returns. */
  content: Buffer;
}

type Names = ReadonlyMap<string, StoredFile>;

/** Returns a whole number from 0 to before `limit`. */
export type WholeNumbers = (limit: number) => number;

/** The operations of a disk that can fail. */
export type DiskOperation = 'open' | 'write' | 'truncate' | 'sync' | 'rename' | 'remove' | 'sync folder';

/**
 * A disk in memory, with the guarantees of a file system and no more:
 * - Written data and new lengths survive a power loss only after a sync of the file. Without a sync, any part of each change survives.
 * - Names survive a power loss only after a sync of the folder. Without a sync, any number of the first changes survives.
 * - After a failed sync, the operating system returns data that is not on the disk, and later syncs do not write this data.
 */
export class MemoryDisk {
  #names: Names = new Map();
  /** The names after the last sync of the folder, and after each later change. */
  #history: readonly Names[] = [this.#names];
  readonly #beforeOperation: (operation: DiskOperation) => void;
  /** The remaining space in bytes. */
  room = Number.POSITIVE_INFINITY;

  /** @param beforeOperation is called before each operation. If this function throws an error, the operation fails. */
  constructor(beforeOperation: (operation: DiskOperation) => void = () => undefined) {
    this.#beforeOperation = beforeOperation;
  }

  /** Returns a disk with a content that can remain after a power loss at this time. */
  afterPowerLoss(random: WholeNumbers): MemoryDisk {
    const names = this.#history[random(this.#history.length)] ?? new Map<string, StoredFile>();
    return copied([names], (file) => remaining(file, random), new MemoryDisk());
  }

  /** Returns the disk after the end of the process. Later operations of the process do not change the returned disk. */
  afterKill(): MemoryDisk {
    const disk = copied(this.#history, (file) => ({ ...file }), new MemoryDisk(this.#beforeOperation));
    disk.room = this.room;
    return disk;
  }

  /** Replaces the names and their history. The last entry of the history contains the current names. */
  restore(history: readonly Names[]): this {
    this.#history = history;
    this.#names = history.at(-1) ?? new Map<string, StoredFile>();
    return this;
  }

  readonly files: FolderFiles = {
    createFolder: () => false,
    lock: () => ({ release: () => undefined }),
    read: (path) => {
      const file = this.#names.get(path);
      if (file === undefined) return undefined;
      const { content } = file;
      return {
        length: content.length,
        read: (bytes, position) => content.copy(bytes, 0, position),
        close: () => undefined,
      };
    },
    open: (path, { fresh }) => {
      this.#beforeOperation('open');
      const known = this.#names.get(path);
      if (known !== undefined && fresh) change(known, { kind: 'truncate', length: 0 });
      const file = known ?? { synced: Buffer.of(), changes: [], content: Buffer.of() };
      if (known === undefined) this.#rename(new Map([...this.#names, [path, file]]));
      return this.#open(path, file);
    },
    rename: (from, to) => {
      this.#beforeOperation('rename');
      const file = this.#names.get(from) as StoredFile;
      this.#rename(new Map([...[...this.#names].filter(([name]) => name !== from), [to, file]]));
    },
    remove: (path) => {
      this.#beforeOperation('remove');
      this.#rename(new Map([...this.#names].filter(([name]) => name !== path)));
    },
    syncFolder: () => {
      this.#beforeOperation('sync folder');
      this.#history = [this.#names];
    },
  };

  #rename(names: Names): void {
    this.#names = names;
    this.#history = [...this.#history, names];
  }

  #open(path: string, file: StoredFile): LogFile {
    /** Ends a sync of the first `count` changes. */
    const sync = (count: number): void => {
      const [flushed, later] = [file.changes.slice(0, count), file.changes.slice(count)];
      // After an error, the operating system does not try again to write these changes to the disk.
      file.changes = later;
      this.#beforeOperation('sync');
      file.synced = flushed.reduce(changed, file.synced);
    };
    return {
      path,
      write: (bytes, position) => {
        this.#beforeOperation('write');
        const added = Math.max(0, position + bytes.length - file.content.length);
        const fits = Math.min(bytes.length, bytes.length - added + this.room);
        if (fits <= 0) throw new Error('ENOSPC: no space left on device, write');
        this.room -= Math.max(0, added - (bytes.length - fits));
        change(file, { kind: 'write', position, bytes: Buffer.from(bytes.subarray(0, fits)) });
        return fits;
      },
      truncate: (length) => {
        this.#beforeOperation('truncate');
        this.room += Math.max(0, file.content.length - length);
        change(file, { kind: 'truncate', length });
      },
      // The sync ends in a later turn. Until then, other changes are possible, and a power loss can happen.
      sync: async () => {
        const { length } = file.changes;
        await new Promise((resolve) => setImmediate(resolve));
        sync(length);
      },
      syncNow: () => sync(file.changes.length),
      close: () => undefined,
    };
  }
}

/** Gives a disk copies of files. Each file is copied once, so that all its names refer to the same copy. */
function copied(history: readonly Names[], copy: (file: StoredFile) => StoredFile, disk: MemoryDisk): MemoryDisk {
  const copies = new Map<StoredFile, StoredFile>();
  for (const names of history) for (const file of names.values()) if (!copies.has(file)) copies.set(file, copy(file));
  const copiedNames = (names: Names): Names =>
    new Map([...names].map(([name, file]) => [name, copies.get(file) as StoredFile]));
  return disk.restore(history.map(copiedNames));
}

function change(file: StoredFile, made: Change): void {
  file.content = changed(file.content, made);
  file.changes = [...file.changes, made];
}

function changed(content: Buffer, made: Change): Buffer {
  if (made.kind === 'truncate') return Buffer.from(content.subarray(0, made.length));
  const { position, bytes } = made;
  const next = Buffer.alloc(Math.max(content.length, position + bytes.length));
  content.copy(next);
  bytes.copy(next, position);
  return next;
}

/** Returns a file with a content that can remain after a power loss: each change is kept, dropped or torn. */
function remaining({ synced, changes }: StoredFile, random: WholeNumbers): StoredFile {
  let content = synced;
  for (const made of changes) {
    const fate = random(4);
    if (fate === 0) continue;
    if (fate === 1 && made.kind === 'write') content = changed(content, torn(made, random));
    else content = changed(content, made);
  }
  return { synced: content, changes: [], content };
}

/** Returns the beginning or the end of a write. The other bytes of the write are zeros on the disk, or have their earlier values. */
function torn(made: Extract<Change, { kind: 'write' }>, random: WholeNumbers): Change {
  const at = random(made.bytes.length + 1);
  switch (random(3)) {
    case 0:
      return { ...made, bytes: made.bytes.subarray(0, at) };
    case 1:
      return { ...made, position: made.position + at, bytes: made.bytes.subarray(at) };
    default:
      return { ...made, bytes: Buffer.concat([made.bytes.subarray(0, at), Buffer.alloc(made.bytes.length - at)]) };
  }
}
