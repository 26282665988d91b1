import { ByteSource, ByteTable } from './byte-table.js';
import type { Sharing } from './message-type.js';

/** The minimum and the maximum size of shared values in bytes. Decoding a smaller value is faster than a search. */
export const MIN_SHARED_BYTES = 8;
export const MAX_SHARED_BYTES = 1024;
const MAX_TEXT_BYTES = 128;

/** The strings and the frozen values that decoded objects share. The tables use at most 3 MB for the bytes of the values. */
export class SharedMessages {
  readonly source = new ByteSource();
  readonly values = new ByteTable<object>(this.source, 128);
  readonly #texts = new ByteTable<string>(this.source, 32);

  /** Returns the string between these positions, in UTF-8. `sharing` counts how often the string is shared. */
  text(start: number, end: number, sharing?: Sharing): string {
    const { source } = this;
    if (start === end) return '';
    if (end - start > MAX_TEXT_BYTES) return source.bytes.toString('utf8', start, end);
    const hash = source.hash(start, end);
    const { isAscii } = source;
    if (sharing !== undefined && !sharing.isWorthwhile) return textOf(source.bytes, { start, end, isAscii });
    const known = this.#texts.find(source, hash, start, end);
    sharing?.count(known !== undefined);
    if (known !== undefined) return known;
    const text = textOf(source.bytes, { start, end, isAscii });
    this.#texts.store(source, hash, { start, end }, text);
    return text;
  }
}

/** A Buffer with a method of Node.js that `toString` calls after it has checked its arguments. The checks take as long as the call. */
type SlicedBuffer = Buffer & { latin1Slice(start: number, end: number): string };

function textOf(
  bytes: Buffer,
  { start, end, isAscii }: { readonly start: number; readonly end: number; readonly isAscii: boolean },
): string {
  return isAscii ? (bytes as SlicedBuffer).latin1Slice(start, end) : bytes.toString('utf8', start, end);
}
