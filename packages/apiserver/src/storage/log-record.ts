import { crc32 } from 'node:zlib';
import type { LogBytes } from './log-bytes.js';

const newline = 0x0a;
const space = 0x20;
/** The number of bytes that are read to find the length and the checksum of a record. The length and the checksum take at most 22 bytes. */
const headBytes = 24;

/** A whole record of a log. `end` is the offset of the first byte after the record. */
export interface LogRecord {
  readonly content: Uint8Array;
  /** All data before this offset was on the disk when the record was written. */
  readonly synced: number;
  readonly end: number;
}

/**
 * Encodes a record as a line. The line contains the length and the CRC-32 of the remaining line, then `synced`, then the JSON without line
 * breaks. `synced` is the offset up to which the file was on the disk when the record was written.
 */
export function encodeRecord(json: string, synced: number): Buffer {
  const body = Buffer.from(`${synced} ${json}\n`);
  const head = Buffer.from(`${body.length} ${crc32(body).toString(16).padStart(8, '0')} `);
  return Buffer.concat([head, body]);
}

/**
 * Returns the record at an offset, or undefined if the record is incomplete or damaged. The content of the record is valid until the next
 * read of the log.
 */
export function decodeRecord(log: LogBytes, start: number): LogRecord | undefined {
  const head = /^(\d{1,12}) ([0-9a-f]{8}) /.exec(log.at(start, headBytes).toString('latin1', 0, headBytes));
  if (head === null) return undefined;
  const from = head[0].length;
  const length = from + Number(head[1]);
  if (start + length > log.length) return undefined;
  const bytes = log.at(start, length);
  if (bytes[length - 1] !== newline) return undefined;
  const body = bytes.subarray(from, length);
  if (crc32(body) !== Number.parseInt(head[2] ?? '', 16)) return undefined;
  const gap = body.indexOf(space);
  return { content: body.subarray(gap + 1, -1), synced: Number(body.toString('latin1', 0, gap)), end: start + length };
}

/** Yields the whole records after a damaged or incomplete record. Searches for a record at the beginning of each line. */
export function* recordsAfter(log: LogBytes, broken: number): Generator<LogRecord> {
  let start = log.lineAfter(broken);
  while (start < log.length) {
    const record = decodeRecord(log, start);
    if (record !== undefined) yield record;
    start = record?.end ?? log.lineAfter(start);
  }
}
