import { KubewrightError } from '@kubewright/api/errors';
import { parseJson } from '@kubewright/api/json';
import type { JournalContent, JournalEntry } from './journal.js';
import { decodeRecord, recordsAfter } from './log-record.js';

/** The first record of a log. The objects that it counts follow it, and were there before the file got its name. */
export interface LogHeader {
  readonly format: 1;
  /** The version of the store whose objects follow. */
  readonly version: number;
  readonly objects: number;
}

/** A log as it was found. */
export interface FoundLog extends JournalContent {
  /** How many bytes of it are whole records; what is behind them was never acknowledged, and has to be cut off. */
  readonly length: number;
}

/**
 * Reads a log. A damaged end that can only be writes whose answers were never sent is left out; damage to anything that
 * was on the disk throws DATA_CORRUPT, which names the file and the byte.
 */
export function readLog(path: string, bytes: Buffer): FoundLog {
  const ends = wholeRecords(bytes);
  const [first = 0] = ends;
  const header = first === 0 ? undefined : headerOf(bytes);
  const length = ends.at(-1) ?? 0;
  if (header === undefined || ends.length <= header.objects) throw corrupt(path, length);
  if (length < bytes.length) {
    for (const { synced } of recordsAfter(bytes, length)) if (synced > length) throw corrupt(path, length);
  }
  const snapshotEnd = header.objects + 1;
  return {
    version: header.version,
    objects: parsed(bytes, ends.slice(0, snapshotEnd)) as Iterable<Extract<JournalEntry, { put: string }>>,
    entries: writes(parsed(bytes, ends.slice(snapshotEnd - 1))),
    length,
  };
}

/** Where each record from the beginning ends, up to the first that is not whole. */
function wholeRecords(bytes: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const record = decodeRecord(bytes, at);
    if (record === undefined) break;
    at = record.end;
    ends.push(at);
  }
  return ends;
}

function headerOf(bytes: Buffer): LogHeader | undefined {
  const header = parseJson(decodeRecord(bytes, 0)?.content ?? '{}') as Partial<LogHeader>;
  return header.format === 1 ? (header as LogHeader) : undefined;
}

/** The records between the first and the last of these offsets. */
function* parsed(bytes: Buffer, ends: readonly number[]): Generator<object> {
  for (const at of ends.slice(0, -1)) {
    const record = decodeRecord(bytes, at);
    if (record !== undefined) yield parseJson(record.content) as object;
  }
}

function* writes(records: Iterable<object>): Generator<JournalEntry> {
  for (const record of records) if (!('stopped' in record)) yield record as JournalEntry;
}

function corrupt(path: string, offset: number): KubewrightError {
  const message = `${path} is damaged at byte ${offset}, in what was on the disk already; bring back a copy of the file from before the damage, or move it away to begin with an empty cluster`;
  return new KubewrightError('DATA_CORRUPT', message);
}
