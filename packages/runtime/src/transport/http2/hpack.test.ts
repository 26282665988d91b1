import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeaderDecoder, MAX_HEADER_BYTES } from './header-decoder.js';
import { Http2Error } from './http2-error.js';
import type { Header } from './static-headers.js';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
const failsWith =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof Http2Error && error.code === code;

/** The encoded responses of RFC 7541, appendix C.5 and C.6, with the headers of the three responses. */
const PLAIN = [
  `4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133
   2032 303a 3133 3a32 3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70
   6c65 2e63 6f6d`,
  '4803 3330 37c1 c0bf',
];
const HUFFMAN = [
  `4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
   2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3`,
  '4883 640e ffc1 c0bf',
];
const others: readonly Header[] = [
  ['cache-control', 'private'],
  ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
  ['location', 'https://www.example.com'],
];

for (const [name, blocks] of Object.entries({ PLAIN, HUFFMAN })) {
  test(`decodes the responses of RFC 7541 with ${name.toLowerCase()} strings, and headers that refer to an earlier response`, () => {
    const decoder = new HeaderDecoder();
    assert.deepEqual(decoder.decode(bytes(blocks[0]!)), [[':status', '302'], ...others]);
    assert.deepEqual(decoder.decode(bytes(blocks[1]!)), [[':status', '307'], ...others]);
  });
}

test('removes the oldest headers when the table is full, and all headers when the server reduces the table', () => {
  const decoder = new HeaderDecoder();
  const long = Buffer.alloc(127 + 0x21 + 0x0f * 128, 'x');
  const added = (name: string): Buffer => Buffer.concat([bytes('40 01'), Buffer.from(name), bytes('7f a1 0f'), long]);
  for (const name of ['a', 'b', 'c']) assert.equal(decoder.decode(added(name))[0]?.[0], name);
  assert.equal(decoder.decode(bytes('be'))[0]?.[0], 'c', 'the most recent header has the first index');
  assert.throws(() => decoder.decode(bytes('bf')), failsWith('COMPRESSION_ERROR'));
  assert.deepEqual(decoder.decode(bytes('20 88')), [[':status', '200']]);
  assert.throws(() => decoder.decode(bytes('be')), failsWith('COMPRESSION_ERROR'));
});

test('rejects invalid blocks: unknown indexes, incomplete or too large numbers and strings, and invalid Huffman codes', () => {
  const invalid = {
    'the index 0': '80',
    'an unknown index': 'be',
    'an incomplete number': 'ff',
    'a number without end': 'ff ff ff ff ff ff 01',
    'a missing value': '48',
    'an incomplete value': '48 03 33',
    'a change of the table size after a header': '88 20',
    'a table size above the limit': '3f e2 1f',
    'a Huffman code with the end of the string': '48 84 ff ff ff ff',
    'a Huffman code with padding of a whole byte': '48 83 64 ff ff',
    'a Huffman code with padding that is not ones': '48 81 00',
  };
  for (const [what, hex] of Object.entries(invalid)) {
    assert.throws(() => new HeaderDecoder().decode(bytes(hex)), failsWith('COMPRESSION_ERROR'), what);
  }
});

test('rejects a small block that refers to a large header many times', () => {
  const decoder = new HeaderDecoder();
  decoder.decode(Buffer.concat([bytes('40 01 61 7f 81 1e'), Buffer.alloc(127 + 1 + 0x1e * 128, 'x')]));
  const block = Buffer.alloc(64, 0xbe);
  assert.throws(() => decoder.decode(block), failsWith('ENHANCE_YOUR_CALM'));
  assert.ok(block.length < MAX_HEADER_BYTES);
});
