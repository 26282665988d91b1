import { Http2Error } from './http2-error.js';

/** The types of frames. The position of a type is its number. See RFC 9113, section 6. */
export const FRAME = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** The flags of frames. SETTINGS and PING use the number of END_STREAM for acknowledgments. */
export const FLAG = { END_STREAM: 1, ACK: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 32 } as const;

/** The number of bytes before the payload of a frame. */
export const FRAME_HEAD = 9;
/** The maximum size of the payload of a received frame. This size is the default of HTTP/2. */
export const MAX_PAYLOAD = 16_384;

/** A received frame. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  /** The number of the stream. 0 for a frame that affects the connection. */
  readonly stream: number;
  readonly payload: Buffer;
}

/** Splits the bytes of a connection into frames. */
export class FrameReader {
  #rest: Buffer | undefined;

  /** Returns the frames that are complete with these bytes. Throws `Http2Error` for a frame that is larger than `MAX_PAYLOAD`. */
  read(chunk: Buffer): readonly Frame[] {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    let at = 0;
    while (bytes.length - at >= FRAME_HEAD) {
      const size = bytes.readUIntBE(at, 3);
      if (size > MAX_PAYLOAD) throw new Http2Error('FRAME_SIZE_ERROR', `the server sent a frame of ${size} bytes`);
      const from = at + FRAME_HEAD;
      if (bytes.length - from < size) break;
      frames.push({
        type: bytes[at + 3]!,
        flags: bytes[at + 4]!,
        stream: bytes.readUInt32BE(at + 5) % 2 ** 31,
        payload: bytes.subarray(from, from + size),
      });
      at = from + size;
    }
    this.#rest = at === bytes.length ? undefined : bytes.subarray(at);
    return frames;
  }
}

/** Returns the payload of a DATA or HEADERS frame without padding and priority. Throws `Http2Error` if the padding is invalid. */
export function contentOf({ type, flags, payload }: Frame): Buffer {
  if ((flags & (FLAG.PADDED | FLAG.PRIORITY)) === 0) return payload;
  const isPadded = (flags & FLAG.PADDED) !== 0;
  const hasPriority = type === FRAME.HEADERS && (flags & FLAG.PRIORITY) !== 0;
  const from = (isPadded ? 1 : 0) + (hasPriority ? 5 : 0);
  const to = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
  if (from > to) throw new Http2Error('PROTOCOL_ERROR', 'the server sent a frame with invalid padding');
  return payload.subarray(from, to);
}

/** Throws `Http2Error` if `isValid` is false. The caller passes whether the payload of the frame has a valid size. */
export function expectSize({ type, payload }: Frame, isValid: boolean): void {
  if (isValid) return;
  throw new Http2Error('FRAME_SIZE_ERROR', `the server sent a frame of type ${type} with ${payload.length} bytes`);
}
