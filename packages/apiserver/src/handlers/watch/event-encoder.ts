import { stringifyJson } from '@kubewright/api/json';

/** The maximum total size of the cached lines of each event type, in bytes. */
const mostBytes = 4 * 1024 * 1024;
/** The types of events that are not cached, because each of these events belongs to a single watch. */
const unsharedTypes: ReadonlySet<string> = new Set(['BOOKMARK', 'ERROR']);

/** The cached lines of an event type by object, and their total size. The encoder removes the oldest lines first. */
interface Lines {
  readonly byObject: Map<object, Uint8Array>;
  bytes: number;
}

/**
 * Encodes watch events in one format. All watches of a resource send the same objects, so the encoder caches recent events and encodes each
 * object once.
 */
export class EventEncoder {
  readonly #lines = new Map<string, Lines>();
  readonly #encoded: (type: string, object: object) => Uint8Array;

  /** @param encode returns the bytes of an event. @default a line of JSON */
  constructor(encode: (type: string, object: object) => Uint8Array = jsonEvent) {
    this.#encoded = encode;
  }

  line(type: string, object: object): Uint8Array {
    if (unsharedTypes.has(type)) return this.#encoded(type, object);
    const lines = this.#linesOf(type);
    const known = lines.byObject.get(object);
    if (known !== undefined) return known;
    const line = this.#encoded(type, object);
    lines.byObject.set(object, line);
    lines.bytes += line.length;
    for (const [oldest, { length }] of lines.byObject) {
      if (lines.bytes <= mostBytes || oldest === object) break;
      lines.byObject.delete(oldest);
      lines.bytes -= length;
    }
    return line;
  }

  #linesOf(type: string): Lines {
    const known = this.#lines.get(type);
    if (known !== undefined) return known;
    const added = { byObject: new Map<object, Uint8Array>(), bytes: 0 };
    this.#lines.set(type, added);
    return added;
  }
}

function jsonEvent(type: string, object: object): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${stringifyJson(object)}}\n`);
}
