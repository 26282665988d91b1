import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBytes } from './log-bytes.js';
import { decodeRecord, encodeRecord, recordsAfter } from './log-record.js';

const MiB = 1024 * 1024;

/** Returns the bytes of a log in memory, and the number of read bytes. */
function opened(content: Buffer): { readonly log: LogBytes; readonly read: () => number } {
  let total = 0;
  const read = (bytes: Uint8Array, position: number): number => {
    const count = content.copy(bytes, 0, position);
    total += count;
    return count;
  };
  return { log: new LogBytes({ length: content.length, read, close: () => undefined }), read: () => total };
}

test('reads records of any length in order, and reads each byte about once', () => {
  const lengths = [10, 1.5 * MiB, 10, MiB - 100, ...Array.from({ length: 3000 }, () => 1000), 2 * MiB, 10];
  const texts = lengths.map((length, at) => String(at % 10).repeat(length));
  const content = Buffer.concat(texts.map((text) => encodeRecord(text, 0)));
  const { log, read } = opened(content);
  let at = 0;
  for (const text of texts) {
    const record = decodeRecord(log, at);
    assert.equal(Buffer.from(record?.content ?? []).toString(), text);
    at = record?.end ?? 0;
  }
  assert.equal(at, content.length);
  assert.equal(decodeRecord(log, at), undefined);
  assert.ok(read() < 2 * content.length, `read ${read()} bytes of ${content.length}`);
});

test('finds the records after damage that is longer than the part of the log in memory', () => {
  const end = Buffer.concat(['"a"', '"b"'].map((text) => encodeRecord(text, 7)));
  const { log } = opened(Buffer.concat([Buffer.alloc(3 * MiB), Buffer.from('\n'), end, Buffer.from('999999999999 ')]));
  assert.equal(decodeRecord(log, 0), undefined);
  const found = [...recordsAfter(log, 0)];
  assert.deepEqual(
    found.map(({ synced }) => synced),
    [7, 7],
  );
  assert.equal(log.lineAfter(found.at(-1)?.end ?? 0), log.length);
});
