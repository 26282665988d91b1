import { crc32 } from 'node:zlib';

const newline = 0x0a;
const space = 0x20;

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

/** Returns the record at an offset, or undefined if the record is incomplete or damaged. */
export function decodeRecord(bytes: Buffer, start: number): LogRecord | undefined {
  const head = /^(\d{1,12}) ([0-9a-f]{8}) /.exec(bytes.toString('latin1', start, start + 24));
  if (head === null) return undefined;
  const from = start + head[0].length;
  const end = from + Number(head[1]);
  if (end > bytes.length || bytes[end - 1] !== newline) return undefined;
  const body = bytes.subarray(from, end);
  if (crc32(body) !== Number.parseInt(head[2] ?? '', 16)) return undefined;
  const gap = body.indexOf(space);
  return { content: body.subarray(gap + 1, -1), synced: Number(body.toString('latin1', 0, gap)), end };
}

/** Yields the whole records after a damaged or incomplete record. Searches for a record at the beginning of each line. */
export function* recordsAfter(bytes: Buffer, broken: number): Generator<LogRecord> {
  let start = bytes.indexOf(newline, broken) + 1;
  while (start > 0 && start < bytes.length) {
    const record = decodeRecord(bytes, start);
    if (record !== undefined) yield record;
    start = record?.end ?? bytes.indexOf(newline, start) + 1;
  }
}
