import { KubewrightError } from '@kubewright/api/errors';
import { parseJson } from '@kubewright/api/json';
import type { LogBytes } from './log-bytes.js';
import type { JournalContent, JournalEntry } from './journal.js';
import { decodeRecord, recordsAfter } from './log-record.js';

/**
 * The first record of a log. The next `objects` records contain the objects of a snapshot. The header and the snapshot were on the disk
 * before the new file was renamed to the name of the log.
 */
export interface LogHeader {
  readonly format: 1;
  /** The resourceVersion of the store at the start of the snapshot. */
  readonly version: number;
  readonly objects: number;
}

/** The content of an existing log. */
export interface FoundLog extends JournalContent {
  /**
   * The length of the whole records in bytes. The server never acknowledged data after this length, and the caller must truncate the file
   * to this length.
   */
  readonly length: number;
  /** The length of the header and of the objects of the snapshot, in bytes. */
  readonly snapshotLength: number;
  /**
   * The offset of the record of a clean stop, if the log ends with this record. All data before this offset was on the disk. The record
   * itself may not be on the disk, if its sync failed.
   */
  readonly stopAt: number | undefined;
}

/**
 * Reads a log. The result parses `objects` and `entries` only during their iteration, so the caller must keep the file open until then.
 * Ignores a damaged end if this end can only contain writes that the server never acknowledged. Throws DATA_CORRUPT if data that was on the
 * disk is damaged. The message contains the path of the file and the offset of the damage.
 */
export function readLog(path: string, log: LogBytes): FoundLog {
  const ends = wholeRecords(log);
  const [first = 0] = ends;
  const header = first === 0 ? undefined : headerOf(log);
  const length = ends.at(-1) ?? 0;
  if (header === undefined || ends.length <= header.objects) throw corrupt(path, length);
  if (length < log.length) {
    for (const { synced } of recordsAfter(log, length)) if (synced > length) throw corrupt(path, length);
  }
  const snapshotEnd = header.objects + 1;
  return {
    version: header.version,
    objects: parsed(log, ends.slice(0, snapshotEnd)) as Iterable<Extract<JournalEntry, { put: string }>>,
    entries: writes(parsed(log, ends.slice(snapshotEnd - 1))),
    length,
    snapshotLength: ends[header.objects] ?? length,
    stopAt: length === log.length ? stopAt(log, ends.at(-2) ?? 0) : undefined,
  };
}

/**
 * Returns `start` if the record at this offset is the record of a clean stop and all data before it was on the disk. Returns undefined
 * otherwise.
 */
function stopAt(log: LogBytes, start: number): number | undefined {
  const record = decodeRecord(log, start);
  if (record === undefined || record.synced !== start) return undefined;
  return 'stopped' in (parseJson(record.content) as object) ? start : undefined;
}

/** Returns the end offset of each record from the beginning, up to the first incomplete record. */
function wholeRecords(log: LogBytes): readonly number[] {
  const ends: number[] = [];
  for (let at = 0; at < log.length; ) {
    const record = decodeRecord(log, at);
    if (record === undefined) break;
    at = record.end;
    ends.push(at);
  }
  return ends;
}

function headerOf(log: LogBytes): LogHeader | undefined {
  const header = parseJson(decodeRecord(log, 0)?.content ?? '{}') as Partial<LogHeader>;
  return header.format === 1 ? (header as LogHeader) : undefined;
}

/** Yields the parsed records between the first and the last of the given offsets. */
function* parsed(log: LogBytes, ends: readonly number[]): Generator<object> {
  for (const at of ends.slice(0, -1)) {
    const record = decodeRecord(log, at);
    if (record !== undefined) yield parseJson(record.content) as object;
  }
}

function* writes(records: Iterable<object>): Generator<JournalEntry> {
  for (const record of records) if (!('stopped' in record)) yield record as JournalEntry;
}

function corrupt(path: string, offset: number): KubewrightError {
  const message = `${path} is damaged at byte ${offset}, within acknowledged writes; restore a copy of the file, or move the file away to start with an empty cluster`;
  return new KubewrightError('DATA_CORRUPT', message);
}
