import { Http2Error } from './http2-error.js';
import { HuffmanDecoder } from './huffman.js';
import { type Header, STATIC_HEADERS } from './static-headers.js';

/** The maximum number of bytes in the names and values of one response, as for HTTP/1.1 in Node.js. */
export const MAX_HEADER_BYTES = 16_384;
/** The maximum size of the table of received headers. This size is the default of HTTP/2. */
const MAX_TABLE_SIZE = 4096;
/** The size of an entry of the table, in addition to the lengths of its name and value. */
const ENTRY_OVERHEAD = 32;
/** The maximum number of bits in a number. No valid length, index or size has more bits. */
const MAX_NUMBER_BITS = 28;

/**
 * Decodes the compressed headers of one connection. All blocks of the connection must be decoded in the order in which they arrive, because
 * a block can refer to headers of earlier blocks. See RFC 7541.
 */
export class HeaderDecoder {
  readonly #huffman = new HuffmanDecoder();
  /** The headers to which blocks can refer, with the most recent header at the end. */
  readonly #table: Header[] = [];
  #tableSize = 0;
  #maxTableSize = MAX_TABLE_SIZE;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  /**
   * Returns the headers of a complete block, with one character for each byte. Throws `Http2Error` if the block is invalid, or has more
   * than `MAX_HEADER_BYTES` bytes.
   */
  decode(block: Buffer): readonly Header[] {
    this.#block = block;
    this.#at = 0;
    const headers: Header[] = [];
    let size = 0;
    while (this.#at < block.length) {
      const header = this.#next(headers.length === 0);
      if (header === undefined) continue;
      size += header[0].length + header[1].length;
      if (size > MAX_HEADER_BYTES) throw tooManyHeaders();
      headers.push(header);
    }
    return headers;
  }

  /** Decodes one instruction. Returns undefined for a change of the table size, which is only valid at the start of a block. */
  #next(isStart: boolean): Header | undefined {
    const first = this.#block[this.#at]!;
    if (first & 0x80) return this.#entry(this.#number(7));
    if (first & 0x40) return this.#remembered(this.#literal(6));
    if (!(first & 0x20)) return this.#literal(4);
    const size = this.#number(5);
    if (!isStart || size > MAX_TABLE_SIZE) throw invalidHeaders();
    this.#maxTableSize = size;
    this.#evict();
    return undefined;
  }

  #literal(prefixBits: number): Header {
    const index = this.#number(prefixBits);
    const name = index === 0 ? this.#text() : this.#entry(index)[0];
    return [name, this.#text()];
  }

  #remembered(header: Header): Header {
    this.#table.push(header);
    this.#tableSize += sizeOf(header);
    this.#evict();
    return header;
  }

  #evict(): void {
    while (this.#tableSize > this.#maxTableSize) this.#tableSize -= sizeOf(this.#table.shift()!);
  }

  #entry(index: number): Header {
    const entry =
      index <= STATIC_HEADERS.length
        ? STATIC_HEADERS[index - 1]
        : this.#table[this.#table.length - (index - STATIC_HEADERS.length)];
    if (entry === undefined) throw invalidHeaders();
    return entry;
  }

  #number(prefixBits: number): number {
    const block = this.#block;
    const most = 2 ** prefixBits - 1;
    let value = block[this.#at++]! & most;
    if (value < most) return value;
    for (let shift = 0; shift < MAX_NUMBER_BITS; shift += 7) {
      if (this.#at >= block.length) break;
      const byte = block[this.#at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw invalidHeaders();
  }

  #text(): string {
    const block = this.#block;
    if (this.#at >= block.length) throw invalidHeaders();
    const isHuffman = block[this.#at]! >= 0x80;
    const length = this.#number(7);
    const from = this.#at;
    this.#at += length;
    if (this.#at > block.length) throw invalidHeaders();
    return isHuffman ? this.#huffman.decode(block.subarray(from, this.#at)) : block.toString('latin1', from, this.#at);
  }
}

function sizeOf([name, value]: Header): number {
  return name.length + value.length + ENTRY_OVERHEAD;
}

/** Returns the error for a response whose headers are too large. */
export function tooManyHeaders(): Http2Error {
  return new Http2Error('ENHANCE_YOUR_CALM', `the server sent more than ${MAX_HEADER_BYTES} bytes of headers`);
}

function invalidHeaders(): Http2Error {
  return new Http2Error('COMPRESSION_ERROR', 'the server sent headers that are not valid in HTTP/2');
}
