import type { Encoder } from './encoder.js';
import { changedObject, keyOf, type LoadKind, objectOf, UNSENT, UNVERSIONED } from './objects.js';
import { field, fieldHead, MAGIC, messageInFrame } from './protobuf.js';

/** The resourceVersion of every list. All events have later versions. */
export const LISTED_VERSION = '300000000';
/** The number of different events, which the server sends in a cycle. */
const EVENTS = 5000;
/** The approximate size of a write in bytes. */
const CHUNK = 128 * 1024;
/** The number of frames that one call of the encoder receives. */
const ENCODED = 10_000;

export type Encoding = 'json' | 'protobuf';
/** An event without its version and its time, and the positions of both. */
interface EventTemplate {
  readonly bytes: Buffer;
  readonly versionAt: number;
  readonly timeAt: number;
}
interface Encoded {
  /** The initial events of a watch, in the order of the objects. */
  readonly frames: Buffer[];
  events: readonly EventTemplate[];
}

const ADDED = '{"type":"ADDED","object":';
const PODS_HEAD = '{"kind":"Pod","apiVersion":"v1",';
const LIST_HEADS: Readonly<Record<LoadKind, string>> = {
  pods: '{"kind":"PodList","apiVersion":"v1"',
  webservices: '{"kind":"WebServiceList","apiVersion":"apps.example.com/v1alpha1"',
};

/** The generated objects of a kind, encoded once, and the objects that requests have changed. */
export class Collection {
  readonly kind: LoadKind;
  readonly #encoder: Encoder | undefined;
  readonly #encoded: Readonly<Record<Encoding, Encoded>> = {
    json: { frames: [], events: [] },
    protobuf: { frames: [], events: [] },
  };
  readonly #indexes = new Map<string, number>();
  readonly #changed = new Map<number, Buffer>();
  /** The events of the objects that requests have changed. */
  readonly #changedEvents = new Map<number, EventTemplate>();
  #version = 4_000_000_000;

  constructor(kind: LoadKind, encoder?: Encoder) {
    this.kind = kind;
    this.#encoder = encoder;
  }

  /** Returns the encoding of responses to requests that accept protobuf: protobuf for Pods if there is an encoder. */
  encodingOf(accept: string): Encoding {
    const isProtobuf = accept.startsWith('application/vnd.kubernetes.protobuf') && this.#encoder !== undefined;
    return isProtobuf && this.kind === 'pods' ? 'protobuf' : 'json';
  }

  /** Generates the first objects, and forgets all changes by requests. */
  async prepare(count: number): Promise<void> {
    this.#changed.clear();
    this.#changedEvents.clear();
    const { json } = this.#encoded;
    for (let index = json.frames.length; index < count; index += 1) {
      const { namespace, name } = keyOf(this.kind, index);
      this.#indexes.set(`${namespace}/${name}`, index);
      json.frames.push(Buffer.from(`${ADDED}${JSON.stringify(objectOf(this.kind, index))}}\n`));
    }
    if (json.events.length < Math.min(count, EVENTS)) {
      json.events = Array.from({ length: Math.min(count, EVENTS) }, (_, index) =>
        template(modified(changedObject(this.kind, index))),
      );
    }
    if (this.kind === 'pods' && this.#encoder !== undefined) await this.#encode(this.#encoder, count);
  }

  async #encode(encoder: Encoder, count: number): Promise<void> {
    const { json, protobuf } = this.#encoded;
    while (protobuf.frames.length < count) {
      const from = protobuf.frames.length;
      protobuf.frames.push(...(await encoder(json.frames.slice(from, Math.min(count, from + ENCODED)))));
    }
    if (protobuf.events.length < json.events.length)
      protobuf.events = (await encoder(json.events.map(({ bytes }) => bytes))).map(template);
  }

  /** Returns the initial events of a watch in chunks, with the bookmark after the last event. */
  async *initialEvents(count: number, encoding: Encoding): AsyncGenerator<Buffer> {
    yield* chunks(this.#encoded[encoding].frames.slice(0, count));
    const bookmark = Buffer.from(this.#bookmark());
    if (encoding === 'json' || this.#encoder === undefined) yield bookmark;
    else yield* await this.#encoder([bookmark]);
  }
  #bookmark(): string {
    const head = this.kind === 'pods' ? PODS_HEAD : '{"kind":"WebService","apiVersion":"apps.example.com/v1alpha1",';
    const annotations = '{"k8s.io/initial-events-end":"true"}';
    const metadata = `{"resourceVersion":"${LISTED_VERSION}","annotations":${annotations}}`;
    return `{"type":"BOOKMARK","object":${head}"metadata":${metadata}}}\n`;
  }

  /** Returns a list, or the page from `from` to `to`, in chunks. */
  *list(
    { from, to, total }: { readonly from: number; readonly to: number; readonly total: number },
    encoding: Encoding,
  ): Generator<Buffer> {
    const rest = to < total ? { token: String(to), remaining: total - to } : undefined;
    if (encoding === 'protobuf') return yield* this.#protobufList({ from, to, token: rest?.token });
    const more = rest === undefined ? '' : `,"continue":"${rest.token}","remainingItemCount":${rest.remaining}`;
    yield Buffer.from(`${LIST_HEADS[this.kind]},"metadata":{"resourceVersion":"${LISTED_VERSION}"${more}},"items":[`);
    const pieces: Buffer[] = [];
    for (let index = from; index < to; index += 1) {
      if (index > from) pieces.push(Buffer.from(','));
      const json = this.objectBytes(index);
      // Items of lists of built-in kinds have no kind and no apiVersion.
      if (this.kind === 'pods') pieces.push(Buffer.from('{'), json.subarray(PODS_HEAD.length));
      else pieces.push(json);
    }
    yield* chunks(pieces);
    yield Buffer.from(']}\n');
  }
  *#protobufList({
    from,
    to,
    token = '',
  }: {
    readonly from: number;
    readonly to: number;
    readonly token?: string | undefined;
  }): Generator<Buffer> {
    const metadata = Buffer.concat([field(2, LISTED_VERSION), ...(token === '' ? [] : [field(3, token)])]);
    const messages = this.#encoded.protobuf.frames.slice(from, to).map(messageInFrame);
    const items = messages.flatMap((message) => [fieldHead(2, message.length), message]);
    const list = [field(1, metadata), ...items];
    const bytes = list.reduce((sum, { length }) => sum + length, 0);
    yield Buffer.concat([MAGIC, field(1, Buffer.concat([field(1, 'v1'), field(2, 'PodList')])), fieldHead(2, bytes)]);
    yield* chunks(list);
  }

  /** Returns the index of an object; undefined if it does not exist. */
  indexOf(key: string): number | undefined {
    return this.#indexes.get(key);
  }
  /** Returns the JSON of an object. */
  objectBytes(index: number): Buffer {
    const frame = this.#encoded.json.frames[index] ?? Buffer.alloc(0);
    return this.#changed.get(index) ?? frame.subarray(ADDED.length, -2);
  }
  /** Returns the body of a single object in an encoding. */
  bodyOf(index: number, encoding: Encoding): Buffer {
    const frame = this.#encoded.protobuf.frames[index];
    if (encoding === 'json' || frame === undefined) return this.objectBytes(index);
    const type = field(1, Buffer.concat([field(1, 'v1'), field(2, 'Pod')]));
    return Buffer.concat([MAGIC, type, field(2, messageInFrame(frame))]);
  }

  /**
   * Stores an object with a new resourceVersion. Returns the frame of the watch event. The object keeps its position in lists. The stored
   * object has no protobuf encoding, so only kinds without protobuf can be changed.
   */
  store(index: number, object: { readonly metadata: object }): Buffer {
    this.#version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(this.#version) };
    const bytes = Buffer.from(JSON.stringify({ ...object, metadata }));
    this.#changed.set(index, bytes);
    this.#changedEvents.delete(index);
    return modified(bytes);
  }

  /**
   * Returns an event with a new version and the current monotonic time in nanoseconds. The events repeat after `among` events. The object
   * of an event contains the changes by requests, for example the conditions that a controller has written, as on an API server.
   */
  event(at: number, { among, encoding }: { readonly among: number; readonly encoding: Encoding }): Buffer {
    const { events } = this.#encoded[encoding];
    const index = at % Math.min(events.length, among);
    const event = this.#changedEvent(index) ?? events[index];
    if (event === undefined) throw new Error(`there are no events of ${this.kind}; call prepare first`);
    const bytes = Buffer.from(event.bytes);
    this.#version += 1;
    bytes.write(String(this.#version), event.versionAt, 'latin1');
    bytes.write(String(process.hrtime.bigint()).padStart(UNSENT.length, '0'), event.timeAt, 'latin1');
    return bytes;
  }
  #changedEvent(index: number): EventTemplate | undefined {
    const known = this.#changedEvents.get(index);
    const object = this.#changed.get(index);
    if (known !== undefined || object === undefined) return known;
    const event = template(modified(changedObject(this.kind, index, JSON.parse(object.toString()))));
    this.#changedEvents.set(index, event);
    return event;
  }
}

/** Returns the watch event of a changed object. */
function modified(object: object | Buffer): Buffer {
  const bytes = Buffer.isBuffer(object) ? object : Buffer.from(JSON.stringify(object));
  return Buffer.concat([Buffer.from('{"type":"MODIFIED","object":'), bytes, Buffer.from('}\n')]);
}
function template(bytes: Buffer): EventTemplate {
  return { bytes, versionAt: bytes.indexOf(UNVERSIONED), timeAt: bytes.indexOf(UNSENT) };
}

/** Joins buffers to chunks of at least `CHUNK` bytes, except the last one. */
export function* chunks(pieces: Iterable<Buffer>): Generator<Buffer> {
  let open: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    open.push(piece);
    bytes += piece.length;
    if (bytes < CHUNK) continue;
    yield Buffer.concat(open, bytes);
    [open, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(open, bytes);
}
