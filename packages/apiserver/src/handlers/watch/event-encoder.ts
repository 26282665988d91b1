import { stringifyJson } from '@kubewright/api/json';
import { EncodedObjects, isStored } from '../../storage/encoded-objects.js';

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
 * Encodes watch events as lines of JSON. All watches of a resource send the same objects, so the encoder caches recent lines and encodes
 * each object once.
 */
export class EventEncoder {
  readonly #lines = new Map<string, Lines>();
  readonly #encoded: EncodedObjects;

  /** @param encoded the JSON of the stored objects. @default no cached objects */
  constructor(encoded: EncodedObjects = new EncodedObjects()) {
    this.#encoded = encoded;
  }

  line(type: string, object: object): Uint8Array {
    if (unsharedTypes.has(type)) return this.#write(type, object);
    const lines = this.#linesOf(type);
    const known = lines.byObject.get(object);
    if (known !== undefined) return known;
    const line = this.#write(type, object);
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

  #write(type: string, object: object): Uint8Array {
    const start = `{"type":"${type}","object":`;
    if (!isStored(object)) return Buffer.from(`${start}${stringifyJson(object)}}\n`);
    return Buffer.concat([Buffer.from(start), this.#encoded.of(object), Buffer.from('}\n')]);
  }
}
