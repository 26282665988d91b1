/** The first bytes of every object in the protobuf encoding of Kubernetes. */
export const MAGIC = Buffer.from('k8s\0', 'latin1');

/** Encodes a number as a varint. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

/** Returns the tag and the length before the bytes of a length-delimited field. */
export function fieldHead(number: number, bytes: number): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes)]);
}

/** Encodes a length-delimited field. */
export function field(number: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([fieldHead(number, bytes.length), bytes]);
}

/** Returns the content of the first length-delimited field with a number. Throws if the message does not have the field. */
export function contentOf(message: Buffer, number: number): Buffer {
  let at = 0;
  const next = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  };
  while (at < message.length) {
    const tag = next();
    if ((tag & 7) !== 2) throw new Error(`field ${tag >> 3} of the message is not length-delimited`);
    const length = next();
    if (tag >> 3 === number) return message.subarray(at, at + length);
    at += length;
  }
  throw new Error(`the message has no field ${number}`);
}

/**
 * Returns the message of the object in a frame of a watch: the 4-byte length, and a WatchEvent with the object in its envelope. Items of
 * lists have no envelope.
 */
export function messageInFrame(frame: Buffer): Buffer {
  const rawExtension = contentOf(frame.subarray(4), 2);
  return contentOf(contentOf(rawExtension, 1).subarray(MAGIC.length), 2);
}
