import { dirname, join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { AppendOnlyLog } from './append-only-log.js';
import type { Journal, JournalEntry } from './journal.js';
import { type FolderFiles, systemFiles } from './log-file.js';
import { LogBytes } from './log-bytes.js';
import { type FoundLog, readLog } from './log-reader.js';
import { SnapshotWriter } from './snapshot-writer.js';
import { Store } from './store.js';

const logName = 'objects.log';
/** The default minimum growth in bytes before a log is rewritten. In addition, the log must double in size. */
const defaultLeastGrowth = 16 * 1024 * 1024;
/** The maximum time in each turn of the event loop for writing a new log, in milliseconds. */
const sliceMs = 4;

/** The options of `DataFolder.open`. */
export interface DataFolderOptions {
  /** The path of the folder. The folder is created if it does not exist. */
  readonly path: string;
  /** The maximum number of events that the store keeps, so that watches can resume. */
  readonly eventLogSize: number;
  /** The maximum estimated memory of the store's objects, in bytes. @default two fifths of the heap of the process */
  readonly storageQuotaBytes?: number;
  /** Receives warnings for the operator, such as a truncated end of the log or a full disk. */
  readonly onWarning: (message: string) => void;
  /** The files of the folder. @default the files of the operating system */
  readonly files?: FolderFiles;
  /** The minimum growth in bytes before the log is rewritten. In addition, the log must double in size. @default 16 MiB */
  readonly leastGrowth?: number;
}

/**
 * A folder that keeps the objects of one store. The folder appends each write to the log before the store applies the write, and `durable`
 * resolves when the write is on the disk. When the log has grown enough, the folder writes the current objects to a new log, and then
 * replaces the old log in one step.
 */
export class DataFolder implements Journal {
  readonly store: Store;
  readonly #options: ResolvedOptions;
  readonly #lock: { release(): void };
  readonly #log: AppendOnlyLog;
  #compactedLength: number;
  #snapshot: SnapshotWriter | undefined;
  #closed = false;

  private constructor(
    options: ResolvedOptions,
    { store, lock, opened }: { readonly store: Store; readonly lock: { release(): void }; readonly opened: OpenedLog },
  ) {
    this.#options = options;
    this.store = store;
    this.#lock = lock;
    this.#log = opened.log;
    this.#compactedLength = opened.compactedLength;
    store.keepIn(this);
  }

  /**
   * Locks the folder and reads its content. Throws DATA_LOCKED if another server uses the folder, DATA_CORRUPT if data that was on the disk
   * is damaged, and DATA_UNUSABLE if the folder cannot be read or written.
   */
  static open(options: DataFolderOptions): DataFolder {
    const resolved = { files: systemFiles, ...options };
    const { path, files } = resolved;
    const lock = usable(path, () => {
      if (files.createFolder(path)) files.syncFolder(dirname(path));
      return files.lock(path);
    });
    try {
      return usable(path, () => {
        const { store, found } = restored(resolved);
        return new DataFolder(resolved, { store, lock, opened: begin(resolved, store, found) });
      });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  append(entry: JournalEntry): void {
    const growth = this.#log.length - this.#compactedLength;
    // The compaction starts before the write: the snapshot has the current content of the store, and this write follows the snapshot.
    if (growth > Math.max(this.#compactedLength, this.#options.leastGrowth ?? defaultLeastGrowth)) this.#compact();
    this.#log.append(entry);
    this.#snapshot?.add(entry);
  }

  durable(): Promise<void> | undefined {
    return this.#log.durable();
  }

  /** Waits until all writes are on the disk, and then unlocks the folder. Later writes throw DATA_NOT_WRITTEN. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#drop();
    await this.#log.close();
    this.#lock.release();
  }

  #compact(): void {
    this.#compactedLength = this.#log.length;
    if (this.#snapshot !== undefined) return;
    this.#attempt(() => {
      this.#snapshot = restart(this.#options, this.store);
      setImmediate(() => this.#continue());
    });
  }

  #continue(): void {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return;
    this.#attempt(() => {
      if (!snapshot.writeFor(sliceMs)) setImmediate(() => this.#continue());
      else void this.#replace(snapshot);
    });
  }

  async #replace(snapshot: SnapshotWriter): Promise<void> {
    // This sync of the objects runs while other work continues. `finish` then writes the entries that were added since the start of the
    // snapshot, and its synchronous sync only has to flush these entries.
    const failure = await snapshot.file.sync().catch((error: unknown) => error);
    if (snapshot !== this.#snapshot) return;
    this.#attempt(() => {
      if (failure !== undefined) throw failure;
      snapshot.finish();
      this.#options.files.rename(snapshot.file.path, join(this.#options.path, logName));
      this.#snapshot = undefined;
      this.#compactedLength = snapshot.length;
      if (this.#syncFolder()) this.#log.continueIn(snapshot.file, snapshot.length);
      else snapshot.file.close();
    });
  }

  /**
   * Syncs the folder. Until the new name of the log is on the disk, a crash can restore the old log, which does not contain later writes.
   * If the sync fails, the log refuses all further writes, and this method returns false.
   */
  #syncFolder(): boolean {
    try {
      this.#options.files.syncFolder(this.#options.path);
      return true;
    } catch (error) {
      this.#log.distrust(error as Error);
      return false;
    }
  }

  /**
   * Runs a step of a compaction. If the step fails, reports a warning and discards the new log. The old log stays in use, and the folder
   * tries again when the log has grown enough for another compaction.
   */
  #attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#drop();
      this.#options.onWarning(cannotRenew(this.#options, error as Error));
    }
  }

  #drop(): void {
    const snapshot = this.#snapshot;
    this.#snapshot = undefined;
    if (snapshot === undefined) return;
    try {
      snapshot.file.close();
      this.#options.files.remove(snapshot.file.path);
    } catch {
      // The next compaction replaces the file.
    }
  }
}

/** The options of `DataFolder.open` with the default of `files`. */
interface ResolvedOptions extends DataFolderOptions {
  readonly files: FolderFiles;
}

/** The log of a folder after its start. */
interface OpenedLog {
  readonly log: AppendOnlyLog;
  /** The length of the log after its last compaction, in bytes. */
  readonly compactedLength: number;
}

/** Returns a store with the content of the existing log, if any. */
function restored({ path, files, onWarning, eventLogSize, storageQuotaBytes }: ResolvedOptions): {
  readonly store: Store;
  readonly found: FoundLog | undefined;
} {
  const options = { eventLogSize, ...(storageQuotaBytes !== undefined && { storageQuotaBytes }) };
  const content = files.read(join(path, logName));
  if (content === undefined) return { store: new Store(options), found: undefined };
  try {
    const found = readFound(new LogBytes(content), join(path, logName), onWarning);
    return { store: new Store({ ...options, content: found }), found };
  } finally {
    content.close();
  }
}

function readFound(log: LogBytes, path: string, onWarning: (message: string) => void): FoundLog {
  const found = readLog(path, log);
  const cut = log.length - found.length;
  if (cut > 0) {
    onWarning(
      `truncated ${path} at byte ${found.length}: the ${cut} bytes after it belong to writes that were never acknowledged`,
    );
  }
  return found;
}

/**
 * Opens the log for new records. If the existing log ends with the record of a clean stop, removes this record and continues the log.
 * Otherwise, writes the objects of the store to a new log, because the operating system can return data that is not on the disk after a
 * failed sync.
 */
function begin(options: ResolvedOptions, store: Store, found: FoundLog | undefined): OpenedLog {
  const { path, files, onWarning } = options;
  const isClean = found?.stopAt !== undefined;
  try {
    const length = isClean ? cutOff(options, found.stopAt) : renew(options, store, found?.length);
    const file = files.open(join(path, logName), { fresh: false });
    const compactedLength = isClean ? found.snapshotLength : length;
    return { log: new AppendOnlyLog(file, { length, onWarning }), compactedLength };
  } finally {
    files.syncFolder(path);
  }
}

/**
 * Replaces the log with a new log that contains the objects of the store. `found` is the length of the whole records of the old log. If the
 * new log cannot be written, reports a warning, and truncates the old log to `found`. If there is no old log, throws the error instead.
 * Returns the length of the resulting log.
 */
function renew(options: ResolvedOptions, store: Store, found: number | undefined): number {
  try {
    return rewrite(options, store);
  } catch (error) {
    if (found === undefined) throw error;
    options.files.remove(join(options.path, `${logName}.new`));
    options.onWarning(cannotRenew(options, error as Error));
    return cutOff(options, found);
  }
}

/** Truncates the existing log to `length`, the end of a whole record, and waits for the disk. Returns this length. */
function cutOff({ path, files }: ResolvedOptions, length: number): number {
  const file = files.open(join(path, logName), { fresh: false });
  try {
    file.truncate(length);
    file.syncNow();
    return length;
  } finally {
    file.close();
  }
}

function cannotRenew({ path }: DataFolderOptions, error: Error): string {
  return `cannot compact ${join(path, logName)}: ${error.message}; the file continues to grow`;
}

/** Replaces the existing log with a log that contains the objects of the store. Returns the length of the new log. */
function rewrite(options: ResolvedOptions, store: Store): number {
  const snapshot = restart(options, store);
  try {
    while (!snapshot.writeFor(sliceMs));
    snapshot.finish();
  } finally {
    snapshot.file.close();
  }
  options.files.rename(snapshot.file.path, join(options.path, logName));
  return snapshot.length;
}

function restart({ path, files }: ResolvedOptions, store: Store): SnapshotWriter {
  return new SnapshotWriter(files.open(join(path, `${logName}.new`), { fresh: true }), store);
}

function usable<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof KubewrightError) throw error;
    throw new KubewrightError('DATA_UNUSABLE', `cannot store data in ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
