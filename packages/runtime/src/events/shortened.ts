/** The server's limit of the text of an event, in bytes. */
export const LONGEST_NOTE = 1024;

/** As much of the text as fits into so many bytes, without half a character. */
export function shortened(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, mostBytes)).replace(/\uFFFD+$/u, '');
}
