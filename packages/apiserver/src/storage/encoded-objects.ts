import { stringifyJson } from '@kubewright/api/json';
import { mostLoggedBytes } from './object-memory.js';
import type { ApiObject } from './api-object.js';

/**
 * Encodes stored objects as JSON in UTF-8. Responses, lists, watches and the journal share the bytes of an object, so the server encodes
 * each version of an object once. The cache takes at most `mostBytes`; it keeps the objects that were used last.
 */
export class EncodedObjects {
  readonly #mostBytes: number;
  /** The objects that were used since `#earlier` was replaced. */
  #recent = new Map<object, Uint8Array>();
  #recentBytes = 0;
  #earlier = new Map<object, Uint8Array>();

  /** @param mostBytes the maximum size of the cache. @default 64 MiB, or a tenth of the heap for long-lived objects if that is less */
  constructor(mostBytes: number = mostLoggedBytes) {
    this.#mostBytes = mostBytes;
  }

  /** Returns the JSON of a stored object. The caller must not change the bytes. */
  of(object: ApiObject): Uint8Array {
    const known = this.known(object);
    if (known !== undefined) return known;
    const bytes = Buffer.from(stringifyJson(object));
    this.#remember(object, bytes);
    return bytes;
  }

  /** Returns the JSON of an object if the cache contains the object. */
  known(object: object): Uint8Array | undefined {
    const recent = this.#recent.get(object);
    if (recent !== undefined) return recent;
    const earlier = this.#earlier.get(object);
    if (earlier === undefined) return undefined;
    this.#earlier.delete(object);
    this.#remember(object, earlier);
    return earlier;
  }

  /** Removes an object that was replaced or deleted. */
  drop(object: ApiObject): void {
    const recent = this.#recent.get(object);
    if (recent === undefined) this.#earlier.delete(object);
    else {
      this.#recent.delete(object);
      this.#recentBytes -= recent.length;
    }
  }

  /** Adds an object. When the recent objects take half of the limit, drops the objects that were not used recently. */
  #remember(object: object, bytes: Uint8Array): void {
    if (this.#recentBytes + bytes.length > this.#mostBytes / 2) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
      this.#recentBytes = 0;
      if (bytes.length > this.#mostBytes / 2) return;
    }
    this.#recent.set(object, bytes);
    this.#recentBytes += bytes.length;
  }
}

/** Whether a value is a stored object. Only the store freezes objects that have a resourceVersion. */
export function isStored(value: unknown): value is ApiObject {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return false;
  const { metadata } = value as Partial<ApiObject>;
  return Object.isFrozen(metadata) && typeof metadata?.resourceVersion === 'string';
}
