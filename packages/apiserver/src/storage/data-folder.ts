import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { AppendOnlyLog } from './append-only-log.js';
import { FolderLock } from './folder-lock.js';
import type { Journal, JournalEntry } from './journal.js';
import { type OpenLogFile, openLogFile, syncFolder } from './log-file.js';
import { type FoundLog, readLog } from './log-reader.js';
import { SnapshotWriter } from './snapshot-writer.js';
import { Store } from './store.js';

const logName = 'objects.log';
/** How much a log grows at least before it is written anew; it has to double, too. */
const defaultLeastGrowth = 16 * 1024 * 1024;
/** How long one turn of the event loop is used for a new log. */
const sliceMs = 4;

/** Where and how a store is kept. */
export interface DataFolderOptions {
  /** Made when it is not there. */
  readonly path: string;
  /** How many events of the store watches can resume from. */
  readonly eventLogSize: number;
  /** The most memory of the objects of the store in bytes, estimated. @default two fifths of the heap of the process */
  readonly storageQuotaBytes?: number;
  /** Told what an operator should know: an end of the log that was cut off, a full disk. */
  readonly onWarning: (message: string) => void;
  /** @default files of the operating system */
  readonly openFile?: OpenLogFile;
  /** By how many bytes the log grows at least before it is written anew. @default 16 MiB */
  readonly leastGrowth?: number;
}

/**
 * A folder that keeps the objects of one store: a write is in its log before it is in the store, and `durable` tells when
 * it is on the disk. A log that has grown is written anew next to the old one, which it then replaces in one step.
 */
export class DataFolder implements Journal {
  readonly store: Store;
  readonly #options: DataFolderOptions;
  readonly #lock: FolderLock;
  readonly #log: AppendOnlyLog;
  #begunWith: number;
  #snapshot: SnapshotWriter | undefined;
  #closed = false;

  private constructor(
    options: DataFolderOptions,
    { store, lock, log }: { readonly store: Store; readonly lock: FolderLock; readonly log: AppendOnlyLog },
  ) {
    this.#options = options;
    this.store = store;
    this.#lock = lock;
    this.#log = log;
    this.#begunWith = log.length;
    store.keepIn(this);
  }

  /**
   * Takes the folder and reads what it keeps. Throws DATA_LOCKED while another server has it, DATA_CORRUPT when what was
   * on the disk is damaged, DATA_UNUSABLE when the folder cannot be read or written.
   */
  static open(options: DataFolderOptions): DataFolder {
    const { path, onWarning, eventLogSize, storageQuotaBytes } = options;
    const lock = usable(path, () => {
      if (mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(path));
      return FolderLock.take(path);
    });
    try {
      return usable(path, () => {
        const found = readFound(join(path, logName), onWarning);
        const store = new Store({
          eventLogSize,
          ...(storageQuotaBytes !== undefined && { storageQuotaBytes }),
          ...(found && { content: found }),
        });
        const length = begin(options, store, found?.length);
        const file = (options.openFile ?? openLogFile)(join(path, logName), { fresh: false });
        return new DataFolder(options, { store, lock, log: new AppendOnlyLog(file, { length, onWarning }) });
      });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  append(entry: JournalEntry): void {
    const growth = this.#log.length - this.#begunWith;
    // Before the write: a snapshot has what is in the store by now, and this write as one that comes after it.
    if (growth > Math.max(this.#begunWith, this.#options.leastGrowth ?? defaultLeastGrowth)) this.#compact();
    this.#log.append(entry);
    this.#snapshot?.add(entry);
  }

  durable(): Promise<void> | undefined {
    return this.#log.durable();
  }

  /** Waits for the disk and gives the folder back. Writes that come later are refused. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#drop();
    await this.#log.close();
    this.#lock.release();
  }

  #compact(): void {
    this.#begunWith = this.#log.length;
    if (this.#snapshot !== undefined) return;
    this.#attempt(() => {
      this.#snapshot = beginAnew(this.#options, this.store);
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
    // Most of it is waited for while other work goes on; `finish` waits for the little that came meanwhile.
    const failure = await snapshot.file.sync().catch((error: unknown) => error);
    if (snapshot !== this.#snapshot) return;
    this.#attempt(() => {
      if (failure !== undefined) throw failure;
      snapshot.finish();
      renameSync(snapshot.file.path, join(this.#options.path, logName));
      this.#snapshot = undefined;
      this.#begunWith = snapshot.length;
      this.#log.continueIn(snapshot.file, snapshot.length);
      this.#syncFolder();
    });
  }

  /** Until the new name of the log is on the disk, the old log might come back, which lacks what is written now. */
  #syncFolder(): void {
    try {
      syncFolder(this.#options.path);
    } catch (error) {
      this.#log.distrust(error as Error);
    }
  }

  /** The old log is as good as before when a new one cannot be written; the next growth is the next attempt. */
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
    snapshot.file.close();
    rmSync(snapshot.file.path, { force: true });
  }
}

function readFound(path: string, onWarning: (message: string) => void): FoundLog | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const found = readLog(path, bytes);
  const cut = bytes.length - found.length;
  if (cut > 0) {
    onWarning(`cut ${path} at byte ${found.length}: the ${cut} bytes after it are writes that were never acknowledged`);
  }
  return found;
}

/** Makes a log to go on with, and returns its length: a new one, or where there is no room for that the whole part of the old one. */
function begin(options: DataFolderOptions, store: Store, found: number | undefined): number {
  try {
    return writeAnew(options, store);
  } catch (error) {
    if (found === undefined) throw error;
    rmSync(join(options.path, `${logName}.new`), { force: true });
    options.onWarning(cannotRenew(options, error as Error));
    return cutOff(options, found);
  } finally {
    syncFolder(options.path);
  }
}

/** Leaves nothing but whole records in the log that is there, and returns their length. */
function cutOff({ path, openFile = openLogFile }: DataFolderOptions, length: number): number {
  const file = openFile(join(path, logName), { fresh: false });
  try {
    file.truncate(length);
    file.syncNow();
    return length;
  } finally {
    file.close();
  }
}

function cannotRenew({ path }: DataFolderOptions, error: Error): string {
  return `cannot write ${join(path, logName)} anew: ${error.message}; it goes on growing`;
}

/** Puts a log with the objects of a store in the place of what is there, and returns its length. */
function writeAnew(options: DataFolderOptions, store: Store): number {
  const snapshot = beginAnew(options, store);
  try {
    while (!snapshot.writeFor(sliceMs));
    snapshot.finish();
  } finally {
    snapshot.file.close();
  }
  renameSync(snapshot.file.path, join(options.path, logName));
  return snapshot.length;
}

function beginAnew({ path, openFile = openLogFile }: DataFolderOptions, store: Store): SnapshotWriter {
  return new SnapshotWriter(openFile(join(path, `${logName}.new`), { fresh: true }), store);
}

function usable<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof KubewrightError) throw error;
    throw new KubewrightError('DATA_UNUSABLE', `cannot keep data in ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
