/** The server's limit for the note of an event, in bytes. */
export const LONGEST_NOTE = 1024;

/** Returns the longest prefix of the text that fits into the given number of bytes, without a partial character. */
export function shortened(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, mostBytes)).replace(/\uFFFD+$/u, '');
}
