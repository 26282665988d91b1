/** The maximum length of the note of an event on the server, in bytes. */
export const LONGEST_NOTE = 1024;

/** Returns the text, shortened to at most `mostBytes` bytes of UTF-8. Does not cut a character. */
export function shortened(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, mostBytes)).replace(/\uFFFD+$/u, '');
}
