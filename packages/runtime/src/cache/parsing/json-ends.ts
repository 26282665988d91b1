const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the position after the end of the array that starts at `start`. Returns -1 if the array does not end. */
export function endOfArray(bytes: Buffer, start: number): number {
  let level = 0;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfString(bytes, i);
    else if (byte === 0x5b || byte === 0x7b) level++;
    else if ((byte === 0x5d || byte === 0x7d) && --level === 0) return i + 1;
  }
  return -1;
}

/**
 * Returns the position of the closing quote of the string that starts at `start`. Returns the number of bytes if the string does not end.
 */
export function endOfString(bytes: Buffer, start: number): number {
  for (let i = start + 1; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === BACKSLASH) i++;
    else if (byte === QUOTE) return i;
  }
  return bytes.length;
}
