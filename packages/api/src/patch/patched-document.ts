import { getField, isJsonObject, setField } from '../json/json-object.js';
import { PatchError } from './patch-error.js';

/** A list or map in a document that a patch can change. */
export type Container = unknown[] | Record<string, unknown>;

/** The list or map that contains the value at a path, and the key of the value. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

/** Returns the error for a missing value. `text` describes the operation that failed. */
export function missing(text: string): PatchError {
  return new PatchError('doesNotApply', `${text}: missing value`);
}

/**
 * A document during the application of a patch. Copies each container before the first write to it, and shares the other containers with
 * the original.
 */
export class PatchedDocument {
  #root: unknown;
  /** The containers that were copied for this patch and can be modified. */
  readonly #own = new Set<unknown>();

  constructor(document: unknown) {
    this.#root = document;
  }

  get root(): unknown {
    return this.#root;
  }
  set root(value: unknown) {
    this.#root = value;
  }

  /**
   * Returns the container and the key of `path` for reading. Returns undefined if a container on the path is missing, or if the path refers
   * to the whole document.
   */
  toRead(path: string): Place | undefined {
    const tokens = pointerTokens(path);
    const key = tokens.pop();
    if (key === undefined) return undefined;
    let container = this.#root;
    for (const token of tokens) {
      if (!isContainer(container)) return undefined;
      container = childOf(container, token);
    }
    return isContainer(container) ? { container, key } : undefined;
  }

  /**
   * Returns the container and the key of `path` for writing. Returns undefined if a container on the path is missing, or if the path refers
   * to the whole document. Copies the containers on the path.
   */
  toWrite(path: string): Place | undefined {
    if (this.toRead(path) === undefined) return undefined;
    const tokens = pointerTokens(path);
    const key = tokens.pop() ?? '';
    let container = this.#writable(this.#root as Container);
    this.#root = container;
    for (const token of tokens) {
      const child = this.#writable(childOf(container, token) as Container);
      if (Array.isArray(container)) container[arrayIndex(token, container.length)] = child;
      else setField(container, token, child);
      container = child;
    }
    return { container, key };
  }

  #writable(container: Container): Container {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#own.add(copy);
    return copy;
  }
}

/** Returns the value of `key`, or undefined for an absent field. Throws `PatchError` for an invalid index. */
export function readKey(container: Container, key: string): unknown {
  return isJsonObject(container) ? getField(container, key) : container[arrayIndex(key, container.length)];
}

/**
 * Returns the array index for `key` in a list of `length` elements. A negative key counts from the end. Throws `PatchError` for an invalid
 * index.
 */
export function arrayIndex(key: string, length: number): number {
  if (!/^[+-]?[0-9]+$/.test(key)) {
    throw new PatchError('doesNotApply', `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  }
  const index = Number(key);
  if (index >= length || index < -length) {
    throw new PatchError('doesNotApply', `Unable to access invalid index: ${index}: invalid index referenced`);
  }
  return index < 0 ? index + length : index;
}

/** Returns the unescaped tokens of a JSON pointer. Returns an empty list for a pointer to the whole document. */
function pointerTokens(path: string): string[] {
  const tokens = path.split('/').slice(1);
  return path.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}

function childOf(container: Container, token: string): unknown {
  if (!Array.isArray(container)) return getField(container, token);
  return /^[+-]?[0-9]+$/.test(token) ? container.at(Number(token)) : undefined;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
