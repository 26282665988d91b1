import { stringifyJson } from '@kubewright/api/json';
import type { JournalEntry } from './journal.js';
import { type LogFile, writeAll } from './log-file.js';
import type { LogHeader } from './log-reader.js';
import { encodeRecord } from './log-record.js';
import type { Store } from './store.js';

const chunkBytes = 256 * 1024;

/** Writes the current objects of a store to a new log in pieces, and then the entries that `add` has received in the meantime. */
export class SnapshotWriter {
  readonly file: LogFile;
  readonly #records: Iterator<object>;
  readonly #later: JournalEntry[] = [];
  #length = 0;

  constructor(file: LogFile, store: Store) {
    this.file = file;
    const { count, entries } = store.everything();
    this.#records = withHeader({ format: 1, version: Number(store.resourceVersion), objects: count }, entries);
  }

  /** The number of written bytes. */
  get length(): number {
    return this.#length;
  }

  /** Adds a write that the store applies after the start of the snapshot. `finish` writes the entry after the objects of the snapshot. */
  add(entry: JournalEntry): void {
    this.#later.push(entry);
  }

  /** Writes objects for about the given number of milliseconds. Returns whether all objects are written. */
  writeFor(milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) if (!this.#writeChunk(this.#records)) return true;
    return false;
  }

  /** Writes the entries that were added during the snapshot, and waits for the disk. */
  finish(): void {
    const later = this.#later.values();
    while (this.#writeChunk(later));
    this.file.syncNow();
  }

  #writeChunk(records: Iterator<object>): boolean {
    const chunk: Buffer[] = [];
    let more = true;
    for (let size = 0; size < chunkBytes; ) {
      const next = records.next();
      more = next.done !== true;
      if (next.done === true) break;
      const record = encodeRecord(stringifyJson(next.value), 0);
      chunk.push(record);
      size += record.length;
    }
    const bytes = Buffer.concat(chunk);
    writeAll(this.file, bytes, this.#length);
    this.#length += bytes.length;
    return more;
  }
}

function* withHeader(header: LogHeader, entries: Iterable<JournalEntry>): Generator<object, undefined> {
  yield header;
  yield* entries;
  return undefined;
}
