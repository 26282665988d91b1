import { checkTextLength } from './size-limits.js';

/** The number of UTF-16 code units that one call of `String.replace` reads. */
const pieceLength = 64 * 1024;

/**
 * Replaces the characters, or runs of characters, that match a global pattern. Reads long texts in pieces, because V8 keeps the matches of
 * a call in memory: about 50 times the size of the text if each character matches. Throws CostExceeded if the result exceeds the maximum
 * length of texts that functions return.
 */
export function replaceEach(text: string, pattern: RegExp, replacement: (char: string) => string): string {
  if (text.length <= pieceLength) return text.replace(pattern, replacement);
  const pieces: string[] = [];
  let length = 0;
  let end = 0;
  for (let at = 0; at < text.length; at = end) {
    end = at + pieceLength;
    // A piece does not end within a surrogate pair.
    if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) end += 1;
    const piece = text.slice(at, end).replace(pattern, replacement);
    length += piece.length;
    checkTextLength(length);
    pieces.push(piece);
  }
  return pieces.join('');
}
