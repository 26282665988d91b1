import { Http2Error } from './http2-error.js';

/** The number of bits in the code of each byte, and of the end of a string. See RFC 7541, appendix B. */
const CODE_LENGTHS: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26, 30,
];
const END_OF_STRING = 256;
const LONGEST_CODE = 30;

/** Decodes strings with the Huffman code of HTTP/2 headers. */
export class HuffmanDecoder {
  readonly #code = canonicalCode();
  #decoded = Buffer.allocUnsafeSlow(512);

  /** Returns the decoded bytes, one character for each byte. Throws `Http2Error` if the bytes are not a valid code. */
  decode(bytes: Uint8Array): string {
    // The shortest code has five bits.
    const longest = Math.ceil((bytes.length * 8) / 5);
    if (longest > this.#decoded.length) this.#decoded = Buffer.allocUnsafeSlow(longest);
    const [{ ends, offsets, symbols }, decoded] = [this.#code, this.#decoded];
    let [written, code, length] = [0, 0, 0];
    for (const byte of bytes) {
      for (let shift = 7; shift >= 0; shift--) {
        code = (code << 1) | ((byte >> shift) & 1);
        length++;
        if (code >= ends[length]!) continue;
        const symbol = symbols[code + offsets[length]!]!;
        if (symbol === END_OF_STRING) throw invalidCode();
        decoded[written++] = symbol;
        [code, length] = [0, 0];
      }
    }
    // The last byte is padded with the first bits of the code for the end of the string, which are ones.
    if (length > 7 || code !== 2 ** length - 1) throw invalidCode();
    return decoded.toString('latin1', 0, written);
  }
}

/** The Huffman code in the form of tables. The index of `ends` and `offsets` is the number of bits of a code word. */
interface CanonicalCode {
  /** The word after the last word with this number of bits. The prefixes of longer words are not less than this word. */
  readonly ends: Int32Array;
  /** The number to add to a word with this number of bits to get the index of its symbol in `symbols`. */
  readonly offsets: Int32Array;
  /** The symbols in the order of their words. */
  readonly symbols: Uint16Array;
}

/** Returns the code. The code is canonical: symbols with words of the same length are in ascending order. */
function canonicalCode(): CanonicalCode {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (const bits of CODE_LENGTHS) counts[bits]!++;
  const [ends, offsets] = [new Int32Array(LONGEST_CODE + 1), new Int32Array(LONGEST_CODE + 1)];
  const next = new Uint16Array(LONGEST_CODE + 1);
  let [end, sum] = [0, 0];
  for (let bits = 1; bits <= LONGEST_CODE; bits++) {
    next[bits] = sum;
    offsets[bits] = sum - 2 * end;
    ends[bits] = end = 2 * end + counts[bits]!;
    sum += counts[bits]!;
  }
  const symbols = new Uint16Array(sum);
  for (const [symbol, bits] of CODE_LENGTHS.entries()) symbols[next[bits]!++] = symbol;
  return { ends, offsets, symbols };
}

function invalidCode(): Http2Error {
  return new Http2Error('COMPRESSION_ERROR', 'the server sent a header that is not a valid Huffman code');
}
