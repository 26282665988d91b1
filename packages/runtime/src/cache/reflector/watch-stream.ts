import type { KubeObject } from '@kubewright/api';
import type { Timer } from '@kubewright/api/clock';
import { ApiError, isAborted, KubewrightError, messageOf, type Status } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { isFailureStatus } from '../../transport/answer/answer.js';
import { maskedStatus } from '../../transport/answer/masked-status.js';
import { invalidResponse, typeText } from '../../transport/answer/list-answer.js';
import { PARTIAL_OBJECT } from '../../transport/answer/partial-metadata.js';
import { isProtobufType, isUnsupportedProtobuf, protobufOr } from '../../transport/answer/protobuf-kind.js';
import type { ProtobufReader } from '../../transport/answer/protobuf-reader.js';
import type { ByteStream } from '../../transport/request/request-options.js';
import { LengthFrames } from './length-frames.js';
import { LineFrames } from './line-frames.js';
import type { ObjectHead } from './object-head.js';
import type { ObjectSource } from './object-source.js';
import { Slices } from '../../waiting/slices.js';

/** The annotation of the bookmark after the last initial object. Its value is "true". */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
/** If the server does not end a watch, the client closes the watch this number of milliseconds after the requested duration. */
const TIMEOUT_MARGIN_MS = 30_000;
/**
 * The number of milliseconds by which a watch may end before its requested duration. A tolerance is necessary because the server starts to
 * measure earlier than the client.
 */
const EARLY_MS = 1000;
const OPENING_BRACE = 0x7b;

/** An event of a watch. ERROR events are not returned but thrown. */
export type StreamEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T; readonly resourceVersion: string }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly endsInitial: boolean };

export interface WatchRequest {
  /** The version after which the watch starts. With `initial`, the minimum version of the initial objects. */
  readonly resourceVersion: string;
  /** Whether to request the existing objects first, followed by a bookmark and the changes. */
  readonly initial: boolean;
  /** The duration in seconds after which the server ends the watch. */
  readonly timeoutSeconds: number;
  /** The time in milliseconds after which a stream that received no bytes is closed. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/** Opens a watch. Rejects with the errors of `Transport.stream`. */
export async function openWatch<T extends KubeObject>(
  source: ObjectSource<T>,
  request: WatchRequest,
): Promise<WatchStream<T>> {
  const { resourceVersion, initial, timeoutSeconds, signal } = request;
  const reader = await source.protobuf?.reader();
  const json = source.metadataOnly ? PARTIAL_OBJECT : undefined;
  const stream = await source.transport.stream({
    path: source.path,
    query: {
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds,
      labelSelector: source.labelSelector,
      fieldSelector: source.fieldSelector,
      resourceVersion: resourceVersion === '' ? undefined : resourceVersion,
      sendInitialEvents: initial ? true : undefined,
      resourceVersionMatch: initial ? 'NotOlderThan' : undefined,
    },
    accept: reader === undefined ? json : protobufOr(json),
    decode: reader?.decode,
    signal,
    attempted: `watch ${source.name}`,
  });
  return new WatchStream(source, stream, {
    ...request,
    reader: isProtobufType(stream.contentType) ? reader : undefined,
  });
}

/** Reads the events of one watch. */
export class WatchStream<T extends KubeObject> {
  /** The error that ended the stream. Undefined if the stream is open or the server ended it regularly. */
  brokenBy: unknown;
  /** The number of received events and bookmarks, including invalid events. */
  count = 0;
  readonly #source: ObjectSource<T>;
  readonly #bytes: ByteStream;
  readonly #signal: AbortSignal;
  #silenceMs: number;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #frames: LineFrames | LengthFrames;
  /** Reads the frames of a stream of protobuf. Undefined for a stream of JSON. */
  readonly #reader: ProtobufReader | undefined;
  readonly #slices = new Slices();
  /** The frames that were received, and the position of the next frame. */
  #lines: readonly Buffer[] = [];
  #next = 0;
  #hasEnded = false;
  readonly #maxAge: Timer;
  readonly #dueMs: number;
  #silence: Timer;
  #lastReceivedMs: number;
  #isOrdered: boolean;

  constructor(
    source: ObjectSource<T>,
    bytes: ByteStream,
    request: WatchRequest & { readonly reader: ProtobufReader | undefined },
  ) {
    this.#source = source;
    this.#bytes = bytes;
    this.#signal = request.signal;
    this.#silenceMs = request.silenceMs;
    this.#isOrdered = !request.initial && request.resourceVersion !== '' && request.resourceVersion !== '0';
    this.#lastReceivedMs = source.clock.monotonicMs();
    this.#dueMs = this.#lastReceivedMs + request.timeoutSeconds * 1000 - EARLY_MS;
    this.#maxAge = source.clock.schedule(
      request.timeoutSeconds * 1000 + TIMEOUT_MARGIN_MS,
      () => this.abandon('the server did not end the watch in time'),
      { isUpkeep: true },
    );
    this.#silence = this.#listen(request.silenceMs);
    this.#chunks = bytes[Symbol.asyncIterator]();
    this.#reader = request.reader;
    const Frames = request.reader === undefined ? LineFrames : LengthFrames;
    this.#frames = new Frames(`watch ${source.name}`);
  }

  /** Whether the events are ordered by version. Initial objects are not ordered. */
  get isOrdered(): boolean {
    return this.#isOrdered;
  }

  /** Whether the requested duration has passed, with a tolerance of `EARLY_MS`, so that the server is expected to end the watch. */
  get isDue(): boolean {
    return this.#source.clock.monotonicMs() >= this.#dueMs;
  }

  /**
   * Returns the next event if its bytes were already received. Returns undefined if there is no such event, or if other tasks must run
   * first; `next` then waits. Throws the same errors as `next`.
   */
  take(): StreamEvent<T> | undefined {
    try {
      while (this.#next < this.#lines.length && !this.#slices.isOver) {
        const event = this.#event(this.#lines[this.#next++] as Buffer);
        if (event !== undefined) return event;
      }
    } catch (error) {
      this.#end();
      if (!isUnsupportedProtobuf(error)) throw error;
      // The next watch continues after the last event.
      this.#source.protobuf?.turnOff(error);
      const message = `watch ${this.#source.name}: cannot convert an event to JSON`;
      this.brokenBy = new KubewrightError('REQUEST_FAILED', message, { cause: error });
    }
    return undefined;
  }

  /**
   * Returns the next event. Returns undefined after the stream has ended for any reason. Throws the ApiError of an ERROR event,
   * INVALID_RESPONSE for bytes that are not a valid event, and the reason of the signal.
   */
  async next(): Promise<StreamEvent<T> | undefined> {
    for (;;) {
      const event = this.take();
      if (event !== undefined) return event;
      if (this.#next < this.#lines.length) await this.#slices.next();
      else if (this.#hasEnded) return undefined;
      else await this.#receive();
    }
  }

  /** Sets the time in milliseconds after which a stream that received no bytes is closed. */
  allowSilence(silenceMs: number): void {
    this.#silenceMs = silenceMs;
  }

  /** Closes the stream because the server does not behave as expected. Sets `brokenBy` to WATCH_STALLED with this reason. */
  abandon(why: string): void {
    this.brokenBy = new KubewrightError('WATCH_STALLED', `watch ${this.#source.name}: ${why}`);
    this.close();
  }

  close(): void {
    this.#maxAge.cancel();
    this.#silence.cancel();
    this.#bytes.close();
  }

  /** Waits for more lines, or for the end of the stream. */
  async #receive(): Promise<void> {
    try {
      this.#signal.throwIfAborted();
      const { value, done } = await this.#chunks.next();
      this.#next = 0;
      if (done === true) {
        this.#lines = [];
        this.#end();
        const rest = this.#frames.rest();
        if (rest.length === 0) return;
        if (this.#reader !== undefined || isCutOff(rest)) throw new Error('the stream ended in the middle of an event');
        this.#lines = [rest];
      } else {
        this.#lastReceivedMs = this.#source.clock.monotonicMs();
        this.#lines = this.#frames.push(value);
      }
    } catch (error) {
      this.#end();
      this.#signal.throwIfAborted();
      if (error instanceof KubewrightError || isAborted(error)) throw error;
      this.brokenBy ??= new KubewrightError(
        'REQUEST_FAILED',
        `watch ${this.#source.name}: the connection was lost: ${String(error)}`,
        { cause: error },
      );
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.#lines = [];
    this.close();
  }

  #event(line: Buffer): StreamEvent<T> | undefined {
    this.count++;
    const dropped = this.#reader === undefined ? this.#source.dropped(line) : undefined;
    if (dropped !== undefined) return this.#passed(dropped);
    const { type, object } = this.#decode(line);
    if (type === 'ERROR')
      throw new ApiError(maskedStatus(statusOf(object), { path: this.#source.path }), {
        attempted: `watch ${this.#source.name}`,
      });
    if (type === 'BOOKMARK') return this.#bookmark(object);
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') {
      this.#source.logger.warn('ignored a watch event of an unknown type', {
        source: this.#source.name,
        type,
      });
      return undefined;
    }
    const droppedValue = this.#source.droppedValue(object);
    if (droppedValue !== undefined) return this.#passed(droppedValue);
    const accepted =
      type === 'DELETED'
        ? this.#source.acceptLast(object)
        : this.#source.accept(object, (this.#reader ?? this.#source.parser).parsedBytes);
    if (accepted === undefined) return undefined;
    // A transform cannot change the version.
    return { type, object: accepted, resourceVersion: accepted.metadata.resourceVersion ?? '' };
  }

  /**
   * Returns a bookmark instead of the event of an ignored object, so that the version advances. Returns undefined if the events are not
   * ordered.
   */
  #passed({ resourceVersion }: ObjectHead): StreamEvent<T> | undefined {
    return this.#isOrdered && resourceVersion !== ''
      ? { type: 'BOOKMARK', resourceVersion, endsInitial: false }
      : undefined;
  }

  /** Returns the event for a bookmark. Throws INVALID_RESPONSE if the bookmark has no valid version. */
  #bookmark(object: unknown): StreamEvent<T> {
    const metadata = isJsonObject(object) ? object['metadata'] : undefined;
    const { resourceVersion, annotations } = isJsonObject(metadata) ? metadata : {};
    if (typeof resourceVersion !== 'string' || resourceVersion === '') {
      throw this.#invalid(
        `'metadata.resourceVersion' of a bookmark is ${typeText(resourceVersion)} instead of a string`,
      );
    }
    const endsInitial = isJsonObject(annotations) && annotations[INITIAL_EVENTS_END] === 'true';
    if (endsInitial) this.#isOrdered = true;
    return { type: 'BOOKMARK', resourceVersion, endsInitial };
  }

  #decode(line: Buffer): { readonly type?: unknown; readonly object?: unknown } {
    let value: unknown;
    try {
      value = this.#reader?.event(line) ?? this.#source.parser.parseEvent(line);
    } catch (error) {
      if (isUnsupportedProtobuf(error)) throw error;
      throw this.#invalid(`an event is not ${this.#reader === undefined ? 'JSON' : 'protobuf'}: ${messageOf(error)}`);
    }
    if (isJsonObject(value)) return value;
    throw this.#invalid(`an event is ${typeText(value)} instead of an object`);
  }

  #invalid(defect: string): KubewrightError {
    return invalidResponse(`watch ${this.#source.name}`, defect);
  }

  #listen(delayMs: number): Timer {
    const check = (): void => {
      const left = this.#lastReceivedMs + this.#silenceMs - this.#source.clock.monotonicMs();
      if (left > 0) this.#silence = this.#listen(left);
      else this.abandon(`no data received for ${this.#silenceMs / 1000} s`);
    };
    return this.#source.clock.schedule(delayMs, check, { isUpkeep: true });
  }
}

/** Whether the last line is an incomplete event. */
function isCutOff(line: Buffer): boolean {
  if (line[0] !== OPENING_BRACE) return false;
  try {
    JSON.parse(line.toString('utf8'));
    return false;
  } catch {
    return true;
  }
}

function statusOf(object: unknown): Status {
  if (isFailureStatus(object)) return { ...object, metadata: object.metadata ?? {}, code: object.code ?? 500 };
  const message = `the watch ended with an error that is not a Status but ${typeText(object)}`;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Unknown', code: 500, message };
}
