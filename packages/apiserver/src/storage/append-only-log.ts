import { KubewrightError } from '@kubewright/api/errors';
import { stringifyJson } from '@kubewright/api/json';
import type { JournalEntry } from './journal.js';
import { type LogFile, writeAll } from './log-file.js';
import { encodeRecord } from './log-record.js';

interface Waiting {
  readonly record: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Appends records to a log file. `append` writes a record before it returns, so the caller gets an error immediately if the disk is full.
 * `AppendOnlyLog` syncs the file afterwards, once for all records of a turn of the event loop.
 */
export class AppendOnlyLog {
  readonly #onWarning: (message: string) => void;
  #file: LogFile;
  #position: number;
  #synced: number;
  /** The number of records that were appended since the log was opened. `#kept` is the number of these records that are on the disk. */
  #appended = 0;
  #kept = 0;
  #syncing: Promise<void> | undefined;
  /** The sync in progress. The log file of this sync stays open until the sync ends. */
  #flight: Promise<void> | undefined;
  #waiting: Waiting[] = [];
  /** The reason why the log refuses writes until the server restarts. */
  #refusal: KubewrightError | undefined;
  /** The error of a failed sync. After this error, the log does not know whether earlier writes are on the disk. */
  #lost: KubewrightError | undefined;
  #full = false;

  /** Continues a log file whose whole content is on the disk. `length` is the length of the file in bytes. */
  constructor(
    file: LogFile,
    { length, onWarning }: { readonly length: number; readonly onWarning: (message: string) => void },
  ) {
    this.#file = file;
    this.#position = length;
    this.#synced = length;
    this.#onWarning = onWarning;
  }

  get length(): number {
    return this.#position;
  }

  /**
   * Appends a record. Throws DATA_NOT_WRITTEN if the write fails or the log is closed; the record is then not part of the log. After a
   * failed sync, throws WRITE_RESULT_UNKNOWN.
   */
  append(entry: JournalEntry | { readonly stopped: true }): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    const bytes = encodeRecord(stringifyJson(entry), this.#synced);
    try {
      writeAll(this.#file, bytes, this.#position);
    } catch (error) {
      this.#takeBack(error as Error);
      throw notWritten(error as Error);
    }
    this.#position += bytes.length;
    this.#appended += 1;
    if (this.#full) this.#onWarning(`writes to ${this.#file.path} work again`);
    this.#full = false;
    this.#syncing ??= this.#sync();
  }

  /**
   * Resolves when all records so far are on the disk. Returns undefined if all these records are already on the disk. Rejects if the log
   * does not know whether the records are on the disk.
   */
  durable(): Promise<void> | undefined {
    const record = this.#appended;
    if (this.#kept === record) return undefined;
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => this.#waiting.push({ record, resolve, reject }));
  }

  /**
   * Continues in another log file, which has equivalent content and is completely on the disk. Closes the old file when no sync uses it.
   */
  continueIn(file: LogFile, length: number): void {
    const old = this.#file;
    if (this.#flight === undefined) old.close();
    else void this.#flight.finally(() => old.close());
    this.#file = file;
    this.#position = length;
    this.#synced = length;
    this.#kept = this.#appended;
    this.#settle();
  }

  /**
   * Refuses all further writes, rejects the promises of `durable`, and logs a warning. After a failed sync, the operating system may have
   * discarded the unwritten data, so a later successful sync does not prove that the data is on the disk.
   */
  distrust(error: Error): void {
    const { path } = this.#file;
    const why = `the state of the last writes is unknown: ${error.message}`;
    this.#lost = new KubewrightError('WRITE_RESULT_UNKNOWN', `${why}; repair the disk, then restart the server`, {
      cause: error,
    });
    this.#refusal = this.#lost;
    this.#onWarning(`cannot flush ${path} up to byte ${this.#position}; ${this.#lost.message}`);
    this.#settle();
  }

  /** Waits for the disk and closes the file. Later appends throw DATA_NOT_WRITTEN. */
  async close(): Promise<void> {
    await this.#syncing;
    if (this.#refusal === undefined) await this.#end();
    this.#refusal ??= new KubewrightError('DATA_NOT_WRITTEN', 'the write was not stored: the server is stopped');
    this.#file.close();
  }

  /**
   * Appends the record of a clean stop. The record states that all earlier records were on the disk, so the next start detects damage to
   * earlier records.
   */
  async #end(): Promise<void> {
    try {
      this.append({ stopped: true });
    } catch {
      // No other record depends on this record, so an error such as a full disk is acceptable here.
    }
    await this.#syncing;
  }

  async #sync(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#kept < this.#appended && this.#lost === undefined) {
      this.#flight = this.#syncOnce(this.#file);
      await this.#flight;
      this.#flight = undefined;
      this.#settle();
    }
    this.#syncing = undefined;
  }

  async #syncOnce(file: LogFile): Promise<void> {
    const [position, appended] = [this.#position, this.#appended];
    try {
      await file.sync();
      // A compaction may have replaced the file during the sync.
      if (file !== this.#file) return;
      this.#synced = position;
      this.#kept = appended;
    } catch (error) {
      if (file === this.#file) this.distrust(error as Error);
    }
  }

  #settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const each of waiting) {
      if (each.record <= this.#kept) each.resolve();
      else if (this.#lost !== undefined) each.reject(this.#lost);
      else this.#waiting.push(each);
    }
  }

  #takeBack(error: Error): void {
    const { path } = this.#file;
    if (!this.#full) {
      this.#onWarning(`cannot write to ${path}: ${error.message}; all writes fail until the disk is writable`);
    }
    this.#full = true;
    try {
      this.#file.truncate(this.#position);
    } catch (cause) {
      const message = `the write was not stored: ${error.message}; all writes fail until the server is restarted`;
      this.#refusal = new KubewrightError('DATA_NOT_WRITTEN', message, { cause });
      this.#onWarning(
        `cannot truncate ${path} to byte ${this.#position}: ${(cause as Error).message}; all writes fail until the server is restarted`,
      );
    }
  }
}

function notWritten(cause: Error): KubewrightError {
  return new KubewrightError('DATA_NOT_WRITTEN', `the write was not stored: ${cause.message}`, { cause });
}
