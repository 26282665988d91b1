import type { TLSSocket } from 'node:tls';
import type { Clock } from '@kubewright/api/clock';
import { contentOf, expectSize, FLAG, FRAME, type Frame, FrameReader } from '../http2/frames.js';
import { FrameWriter, SETTING } from '../http2/frame-writer.js';
import { HeaderDecoder, MAX_HEADER_BYTES, tooManyHeaders } from '../http2/header-decoder.js';
import { codeOf, type Http2Code, Http2Error, violation } from '../http2/http2-error.js';
import { EarliestTimer } from './earliest-timer.js';
import { silence } from './http2-session.js';
import type { PendingRequest } from './pending-request.js';
import { RequestStream } from './request-stream.js';

/** The time in milliseconds without a received byte after which a session with pending requests sends a PING. */
const PING_AFTER_MS = 30_000;
/** The time in milliseconds within which the server must respond to a PING. */
const PING_TIMEOUT_MS = 15_000;
/** The time in milliseconds after which a session without requests is closed. API servers close idle connections after 90 s. */
const IDLE_MS = 60_000;
/** The number of bytes that the server can send without an acknowledgment, because responses are always received completely. */
const WINDOW = 2 ** 26;
/** The send window and the maximum payload of a frame before the server sends its settings. */
const INITIAL_WINDOW = 65_535;
const INITIAL_PAYLOAD = 16_384;
const MAX_WINDOW = 2 ** 31 - 1;
/** The maximum ID of a stream. */
const LAST_STREAM = 2 ** 31 - 1;
const PING_PAYLOAD = Buffer.alloc(8);

export interface RequestSessionOptions {
  /** The secured connection, for which the server has selected HTTP/2. */
  readonly socket: TLSSocket;
  /** The host and port of the server, in the form of a URL. */
  readonly authority: string;
  readonly clock: Clock;
  /** The time in milliseconds without a received byte after which a request fails. */
  readonly silenceMs: number;
  /** The maximum number of requests at the same time, even if the server allows more. */
  readonly maxStreams: number;
  /** Called when a request has ended, and when the session has closed. */
  readonly onChange: (session: RequestSession) => void;
  /** Receives a request that the server did not process, so that another connection can send the request. */
  readonly onUnprocessed: (request: PendingRequest) => void;
}

/**
 * An HTTP/2 connection for single requests. Requests of one turn of the event loop are sent with one write. Sends a PING if pending
 * requests receive nothing for 30 s, and closes the connection if the server does not respond within 15 s.
 */
export class RequestSession {
  readonly #options: RequestSessionOptions;
  readonly #reader = new FrameReader();
  readonly #writer = new FrameWriter();
  readonly #decoder = new HeaderDecoder();
  readonly #streams = new Map<number, RequestStream>();
  #nextStream = 1;
  #maxStreams: number;
  #maxPayload = INITIAL_PAYLOAD;
  #sendWindow = INITIAL_WINDOW;
  #initialWindow = INITIAL_WINDOW;
  /** The number of received bytes that the client has not acknowledged. */
  #unacknowledged = 0;
  /** The parts of a block of headers that continues in the next frame. */
  #block: { readonly first: Frame; readonly parts: Buffer[]; size: number } | undefined;
  #hasSettings = false;
  #isFlushing = false;
  #isRetired = false;
  #isClosed = false;
  #error: Error | undefined;
  readonly #timer: EarliestTimer;
  /** The time of the last received byte, or of the first request after the session was idle. */
  #quietSinceMs: number;
  #pingSentMs: number | undefined;

  constructor(options: RequestSessionOptions) {
    this.#options = options;
    this.#maxStreams = options.maxStreams;
    const { socket, clock } = options;
    this.#quietSinceMs = clock.monotonicMs();
    this.#timer = new EarliestTimer(clock, () => this.#check());
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => {
      this.#error ??= error;
    });
    socket.on('close', () => this.#closed());
    socket.unref();
    const settings = [
      [SETTING.ENABLE_PUSH, 0],
      [SETTING.WINDOW, WINDOW],
      [SETTING.MAX_HEADER_BYTES, MAX_HEADER_BYTES],
    ] as const;
    this.#writer.start(settings, WINDOW - INITIAL_WINDOW);
    this.#flushLater();
    this.#timer.set(IDLE_MS);
  }

  /** Whether the session accepts further requests, now or when a pending request has ended. */
  get isUsable(): boolean {
    return !this.#isRetired && !this.#isClosed;
  }
  /** Whether the session can send another request now. */
  get hasRoom(): boolean {
    return this.isUsable && this.#streams.size < this.#maxStreams;
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Writes a request for the next call of `flush`. Calls the fence of the request. Requires `hasRoom`. */
  send(pending: PendingRequest): void {
    if (!pending.mayBeSent()) return;
    const { method, path, headers, body } = pending.request;
    const bytes = body === null ? undefined : Buffer.from(body);
    const id = this.#nextStream;
    const head = { method, path, headers, authority: this.#options.authority, contentLength: bytes?.length };
    try {
      this.#writer.request(id, head, this.#maxPayload);
    } catch (error) {
      pending.reject(error);
      return;
    }
    const nowMs = this.#options.clock.monotonicMs();
    const stream = new RequestStream(id, pending, { sendWindow: this.#initialWindow, nowMs });
    if (this.#streams.size === 0) {
      this.#quietSinceMs = nowMs;
      this.#options.socket.ref();
    }
    this.#streams.set(id, stream);
    this.#nextStream += 2;
    if (this.#nextStream > LAST_STREAM) this.#isRetired = true;
    pending.onAbort = () => this.#cancel(stream);
    if (bytes !== undefined) {
      stream.unsent = bytes;
      this.#sendBody(stream);
    }
    this.#timer.set(Math.min(this.#options.silenceMs, PING_AFTER_MS));
  }

  /** Sends the written requests and other frames with one write. */
  flush(): void {
    const bytes = this.#isClosed ? undefined : this.#writer.take();
    if (bytes !== undefined) this.#options.socket.write(bytes);
  }

  /** Accepts no further requests, and closes the connection when the pending requests have ended. */
  retire(): void {
    this.#isRetired = true;
    if (this.#streams.size === 0) this.#close('NO_ERROR');
  }

  /** Closes the connection. Pending requests fail with the error. */
  destroy(error: Error): void {
    this.#error ??= error;
    this.#options.socket.destroy();
    this.#closed();
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#quietSinceMs = this.#options.clock.monotonicMs();
    if (this.#pingSentMs !== undefined) {
      this.#pingSentMs = undefined;
      this.#timer.cancel();
      this.#check();
    }
    try {
      for (const frame of this.#reader.read(chunk)) {
        this.#process(frame);
        if (this.#isClosed) return;
      }
    } catch (error) {
      if (!(error instanceof Http2Error)) throw error;
      this.#error ??= error;
      this.#close(error.code);
    }
  }

  #process(frame: Frame): void {
    const { type, payload } = frame;
    if (this.#block !== undefined && (type !== FRAME.CONTINUATION || frame.stream !== this.#block.first.stream))
      throw violation('headers that another frame interrupts');
    if (!this.#hasSettings && type !== FRAME.SETTINGS) throw violation('a frame before its settings');
    // Frames of unknown types are ignored, because extensions of HTTP/2 define them.
    if (type > FRAME.CONTINUATION || type === FRAME.PRIORITY) return;
    if (frame.stream % 2 === 0 && frame.stream !== 0) throw violation('a frame for a stream of the server');
    if (frame.stream >= this.#nextStream) throw violation('a frame for a stream that the client did not open');
    if (type === FRAME.DATA) this.#data(frame);
    else if (type === FRAME.HEADERS) this.#headers(frame, contentOf(frame));
    else if (type === FRAME.CONTINUATION) this.#continuation(frame);
    else if (type === FRAME.SETTINGS) this.#settings(frame);
    else if (type === FRAME.WINDOW_UPDATE) this.#windowUpdate(frame);
    else if (type === FRAME.RST_STREAM) this.#reset(frame);
    else if (type === FRAME.GOAWAY) this.#goaway(frame);
    else if (type === FRAME.PUSH_PROMISE) throw violation('PUSH_PROMISE');
    else if (type === FRAME.PING && (frame.flags & FLAG.ACK) === 0) {
      expectSize(frame, payload.length === 8);
      this.#writer.ping(payload, true);
      this.#flushLater();
    }
  }

  #data(frame: Frame): void {
    const { payload, flags } = frame;
    if (frame.stream === 0) throw violation('DATA without a stream');
    this.#unacknowledged += payload.length;
    if (this.#unacknowledged > WINDOW / 2) {
      this.#writer.windowUpdate(0, this.#unacknowledged);
      this.#unacknowledged = 0;
      this.#flushLater();
    }
    const stream = this.#streams.get(frame.stream);
    if (stream === undefined) return;
    stream.activeMs = this.#quietSinceMs;
    if (!stream.hasHead) return this.#fail(stream, violation('DATA before the headers of a response'));
    stream.received(contentOf(frame));
    if ((flags & FLAG.END_STREAM) !== 0) return this.#end(stream);
    stream.unacknowledged += payload.length;
    if (stream.unacknowledged > WINDOW / 2) {
      this.#writer.windowUpdate(stream.id, stream.unacknowledged);
      stream.unacknowledged = 0;
      this.#flushLater();
    }
  }

  #headers(first: Frame, block: Buffer): void {
    if (first.stream === 0) throw violation('HEADERS without a stream');
    if ((first.flags & FLAG.END_HEADERS) === 0) this.#block = { first, parts: [block], size: block.length };
    else this.#answered(first, block);
  }

  #continuation({ flags, payload }: Frame): void {
    const block = this.#block;
    if (block === undefined) throw violation('CONTINUATION without HEADERS');
    block.parts.push(payload);
    block.size += payload.length;
    if (block.size > MAX_HEADER_BYTES || block.parts.length > MAX_HEADER_BYTES / 64) throw tooManyHeaders();
    if ((flags & FLAG.END_HEADERS) === 0) return;
    this.#block = undefined;
    this.#answered(block.first, Buffer.concat(block.parts));
  }

  /** Processes the headers or the trailers of a response. */
  #answered({ stream: id, flags }: Frame, block: Buffer): void {
    // The block must also be decoded if the request was aborted, because later blocks can refer to its headers.
    const headers = this.#decoder.decode(block);
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.activeMs = this.#quietSinceMs;
    const isEnd = (flags & FLAG.END_STREAM) !== 0;
    const defect = stream.hasHead ? stream.trailers(isEnd) : stream.head(headers, isEnd);
    if (defect !== undefined) this.#fail(stream, violation(defect));
    else if (isEnd) this.#end(stream);
  }

  #settings(frame: Frame): void {
    const { payload, flags, stream: id } = frame;
    if (id !== 0) throw violation('SETTINGS for a stream');
    this.#hasSettings = true;
    if ((flags & FLAG.ACK) !== 0) return;
    expectSize(frame, payload.length % 6 === 0);
    for (let at = 0; at < payload.length; at += 6) {
      const value = payload.readUInt32BE(at + 2);
      const setting = payload.readUInt16BE(at);
      if (setting === SETTING.MAX_STREAMS) {
        // With a limit of 0, requests would wait forever. The server can reject the single request that is sent.
        this.#maxStreams = Math.max(1, Math.min(value, this.#options.maxStreams));
      } else if (setting === SETTING.WINDOW) {
        if (value > MAX_WINDOW) throw new Http2Error('FLOW_CONTROL_ERROR', 'the server sent an invalid window');
        for (const stream of this.#streams.values()) stream.sendWindow += value - this.#initialWindow;
        this.#initialWindow = value;
      } else if (setting === SETTING.MAX_PAYLOAD) {
        if (value < INITIAL_PAYLOAD || value >= 2 ** 24) throw violation('an invalid frame size');
        this.#maxPayload = value;
      }
    }
    this.#writer.settingsAck();
    this.#sendBodies();
    this.#options.onChange(this);
  }

  #windowUpdate(frame: Frame): void {
    expectSize(frame, frame.payload.length === 4);
    const increment = frame.payload.readUInt32BE(0) % 2 ** 31;
    const stream = this.#streams.get(frame.stream);
    if (frame.stream === 0) {
      this.#sendWindow += increment;
      if (increment === 0 || this.#sendWindow > MAX_WINDOW) throw violation('an invalid window');
    } else if (stream !== undefined) {
      stream.sendWindow += increment;
      if (increment === 0 || stream.sendWindow > MAX_WINDOW) return this.#fail(stream, violation('an invalid window'));
    }
    this.#sendBodies();
  }

  #reset(frame: Frame): void {
    expectSize(frame, frame.payload.length === 4);
    const stream = this.#streams.get(frame.stream);
    if (stream === undefined) return;
    const code = codeOf(frame.payload.readUInt32BE(0));
    this.#remove(stream);
    if (code === 'REFUSED_STREAM') this.#options.onUnprocessed(stream.pending);
    else stream.pending.reject(broken(`the server ended the request with the HTTP/2 error ${code}`));
    this.#changed();
  }

  /** The server accepts no further requests. It has not processed requests after the last stream that the frame names. */
  #goaway(frame: Frame): void {
    expectSize(frame, frame.payload.length >= 8);
    this.#isRetired = true;
    const last = frame.payload.readUInt32BE(0) % 2 ** 31;
    const unprocessed = [...this.#streams.values()].filter(({ id }) => id > last);
    for (const stream of unprocessed) {
      this.#remove(stream);
      this.#options.onUnprocessed(stream.pending);
    }
    this.#changed();
  }

  /** Calls `flush` when all frames that have arrived together are processed. */
  #flushLater(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    process.nextTick(() => {
      this.#isFlushing = false;
      this.flush();
    });
  }

  #sendBodies(): void {
    for (const stream of this.#streams.values()) {
      if (stream.unsent !== undefined) this.#sendBody(stream);
    }
    this.#flushLater();
  }

  /** Sends as much of the body as the windows of the connection and the stream allow. */
  #sendBody(stream: RequestStream): void {
    for (let rest = stream.unsent; rest !== undefined; rest = stream.unsent) {
      const size = Math.min(
        rest.length,
        this.#maxPayload,
        Math.max(0, this.#sendWindow),
        Math.max(0, stream.sendWindow),
      );
      if (size === 0 && rest.length > 0) return;
      const isEnd = size === rest.length;
      this.#writer.data(stream.id, rest.subarray(0, size), isEnd);
      this.#sendWindow -= size;
      stream.sendWindow -= size;
      stream.activeMs = this.#options.clock.monotonicMs();
      stream.unsent = isEnd ? undefined : rest.subarray(size);
    }
  }

  #end(stream: RequestStream): void {
    if (!stream.isComplete) return this.#fail(stream, broken('the connection ended before the response was complete'));
    // The server can respond before it has received the whole body.
    if (stream.unsent !== undefined) this.#resetStream(stream, 'NO_ERROR');
    this.#remove(stream);
    stream.pending.resolve(stream.answer());
    this.#changed();
  }

  /** Ends a request with an error. The other requests continue. */
  #fail(stream: RequestStream, error: Error): void {
    this.#remove(stream);
    this.#resetStream(stream, error instanceof Http2Error ? error.code : 'CANCEL');
    stream.pending.reject(error);
    this.#changed();
  }

  /** Ends a request that was aborted. If the server has not sent anything since the request, uses another connection for later requests. */
  #cancel(stream: RequestStream): void {
    if (!this.#streams.has(stream.id)) return;
    this.#remove(stream);
    this.#resetStream(stream, 'CANCEL');
    if (this.#quietSinceMs <= stream.sentMs) this.#isRetired = true;
    this.#changed();
  }

  #resetStream({ id }: RequestStream, code: Http2Code): void {
    this.#writer.reset(id, code);
    this.#flushLater();
  }

  #remove(stream: RequestStream): void {
    this.#streams.delete(stream.id);
    stream.pending.onAbort = undefined;
    if (this.#streams.size === 0 && !this.#isClosed) this.#options.socket.unref();
  }

  /** Called after requests have ended. */
  #changed(): void {
    if (this.#isRetired && this.#streams.size === 0) this.#close('NO_ERROR');
    else this.#options.onChange(this);
  }

  /** Sends GOAWAY, and closes the connection. */
  #close(code: Http2Code): void {
    if (this.#isClosed) return;
    this.#writer.goaway(code);
    this.flush();
    this.#options.socket.destroySoon();
    this.#closed();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#timer.cancel();
    const error = this.#error ?? broken('the connection was closed before a response arrived');
    for (const stream of this.#streams.values()) {
      stream.pending.onAbort = undefined;
      stream.pending.reject(error);
    }
    this.#streams.clear();
    this.#options.onChange(this);
  }

  /** Ends silent requests, detects a dead connection, and closes an idle connection. */
  #check(): void {
    const { clock, silenceMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const quietMs = nowMs - this.#quietSinceMs;
    if (this.#streams.size === 0) return quietMs >= IDLE_MS ? this.retire() : this.#timer.set(IDLE_MS - quietMs);
    if (this.#pingSentMs !== undefined && nowMs - this.#pingSentMs >= PING_TIMEOUT_MS)
      return this.destroy(broken('the connection did not answer a ping within 15 s'));
    let nextMs = quietMs < PING_AFTER_MS ? PING_AFTER_MS - quietMs : PING_TIMEOUT_MS;
    for (const stream of this.#streams.values()) {
      const leftMs = stream.activeMs + silenceMs - nowMs;
      // A timer of Node.js can fire up to 1 ms early. The additional millisecond prevents a second check.
      if (leftMs > 0) nextMs = Math.min(nextMs, leftMs + 1);
      else this.#fail(stream, silence());
      if (this.#isClosed) return;
    }
    if (quietMs >= silenceMs) return this.destroy(broken('the connection received no data'));
    if (quietMs >= PING_AFTER_MS) {
      if (this.#pingSentMs === undefined) {
        this.#pingSentMs = nowMs;
        this.#writer.ping(PING_PAYLOAD, false);
        this.#flushLater();
      }
      nextMs = Math.min(nextMs, this.#pingSentMs + PING_TIMEOUT_MS - nowMs);
    }
    this.#timer.set(nextMs);
  }
}

/** Returns the error of a broken connection. A GET is then sent again. */
function broken(message: string): Error {
  return Object.assign(new Error(message), { code: 'ECONNRESET' });
}
