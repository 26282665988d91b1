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
  /** The two children of each node of the code tree. The complement of a symbol, which is negative, represents a leaf. */
  readonly #tree = codeTree();
  #decoded = Buffer.allocUnsafeSlow(512);

  /** Returns the decoded bytes, one character for each byte. Throws `Http2Error` if the bytes are not a valid code. */
  decode(bytes: Uint8Array): string {
    // The shortest code has five bits.
    const longest = Math.ceil((bytes.length * 8) / 5);
    if (longest > this.#decoded.length) this.#decoded = Buffer.allocUnsafeSlow(longest);
    const [tree, decoded] = [this.#tree, this.#decoded];
    let [length, node, pending, isPadding] = [0, 0, 0, true];
    for (const byte of bytes) {
      for (let shift = 7; shift >= 0; shift--) {
        const bit = (byte >> shift) & 1;
        const next = tree[2 * node + bit]!;
        if (next < 0) {
          if (~next === END_OF_STRING) throw invalidCode();
          decoded[length++] = ~next;
          [node, pending, isPadding] = [0, 0, true];
        } else {
          node = next;
          pending++;
          isPadding &&= bit === 1;
        }
      }
    }
    // The last byte is padded with the first bits of the code for the end of the string, which are ones.
    if (pending > 7 || !isPadding) throw invalidCode();
    return decoded.toString('latin1', 0, length);
  }
}

/** Returns the tree of the code. The code is canonical: symbols with codes of the same length are in ascending order. */
function codeTree(): Int16Array {
  const tree = new Int16Array(2 * (CODE_LENGTHS.length - 1));
  let [code, nodes] = [0, 1];
  for (let length = 1; length <= LONGEST_CODE; length++) {
    code <<= 1;
    for (const [symbol, bits] of CODE_LENGTHS.entries()) {
      if (bits !== length) continue;
      let node = 0;
      for (let shift = length - 1; shift > 0; shift--) {
        const child = 2 * node + ((code >> shift) & 1);
        if (tree[child] === 0) tree[child] = nodes++;
        node = tree[child]!;
      }
      tree[2 * node + (code & 1)] = ~symbol;
      code++;
    }
  }
  return tree;
}

function invalidCode(): Http2Error {
  return new Http2Error('COMPRESSION_ERROR', 'the server sent a header that is not a valid Huffman code');
}
