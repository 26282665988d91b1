import type { Shape } from './place.js';

/** The number of slots of a new table, and the maximum number of slots. Powers of two. */
const FIRST_SLOTS = 256;
const MAX_SLOTS = 16_384;
/** The maximum size of the JSON of a stored subtree, and of all stored subtrees, in bytes. */
const MAX_BYTES = 1024;
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;

type Tree = Readonly<Record<string, unknown>> | readonly unknown[];

/**
 * Stores frozen objects and arrays, so that equal subtrees of different objects are in memory once. The values of a subtree are compared by
 * identity, because they are themselves shared. Each subtree has one slot, and the newest subtree of a slot replaces the older one.
 * Therefore the memory is limited, and a subtree costs at most one comparison, even if all subtrees have the same slot.
 */
export class SharedSubtrees {
  /** The values of the objects and arrays that are not complete, and their number. */
  stack: unknown[] = [];
  top = 0;
  /** The hash of the next object or array to store. The caller sets the hash before each call. Equal values have equal hashes. */
  hash = 0;
  /** Whether the last returned subtree was already stored. */
  wasStored = false;
  #mask = FIRST_SLOTS - 1;
  #trees: (Tree | undefined)[] = emptySlots(FIRST_SLOTS);
  /** The shape of the object in each slot. Undefined for arrays. */
  #shapes: (Shape | undefined)[] = emptySlots(FIRST_SLOTS);
  /** The hash of the subtree in each slot. Avoids reading a subtree from memory that is certainly another one. */
  #hashes = new Int32Array(FIRST_SLOTS);
  #sizes = new Int32Array(FIRST_SLOTS);
  #bytes = 0;
  #replaced = 0;

  /**
   * Returns the frozen object with all values on the stack from the position `from`. `bytes` is the size of its JSON. Removes the values
   * from the stack.
   */
  object(shape: Shape, from: number, bytes: number): Tree {
    const stack = this.stack;
    const slot = this.#slotOf(this.hash);
    this.top = from;
    this.wasStored = false;
    if (this.#hashes[slot] === this.hash && this.#shapes[slot] === shape) {
      const stored = this.#trees[slot] as Readonly<Record<string, unknown>>;
      this.wasStored = shape.hasValues(stored, stack, from);
      if (this.wasStored) return stored;
    }
    const object = Object.freeze(shape.object(stack, from));
    if (this.#reserve(slot, bytes)) {
      this.#trees[slot] = object;
      this.#shapes[slot] = shape;
    }
    return object;
  }

  /**
   * Returns the frozen array of all values on the stack from the position `from`. `bytes` is the size of its JSON. Removes the values from
   * the stack.
   */
  array(from: number, bytes: number): Tree {
    const stack = this.stack;
    const to = this.top;
    const slot = this.#slotOf(this.hash);
    this.top = from;
    this.wasStored = false;
    if (this.#hashes[slot] === this.hash && this.#shapes[slot] === undefined) {
      const stored = this.#trees[slot];
      this.wasStored = Array.isArray(stored) && hasItems(stored, stack, from, to);
      if (this.wasStored) return stored as Tree;
    }
    const array = Object.freeze(stack.slice(from, to));
    if (this.#reserve(slot, bytes)) {
      this.#trees[slot] = array;
      this.#shapes[slot] = undefined;
    }
    return array;
  }

  #slotOf(hash: number): number {
    return (hash ^ (hash >>> 16)) & this.#mask;
  }

  /**
   * Reserves the slot for a subtree of this size. Returns false if the subtree must not be stored: it is too large, the table is full, or
   * the table has just grown.
   */
  #reserve(slot: number, bytes: number): boolean {
    const total = this.#bytes - (this.#sizes[slot] as number) + bytes;
    if (bytes > MAX_BYTES || total > MAX_TOTAL_BYTES) return false;
    this.#bytes = total;
    if (this.#sizes[slot] !== 0 && ++this.#replaced > this.#mask && this.#mask < MAX_SLOTS - 1) {
      this.#grow();
      return false;
    }
    this.#sizes[slot] = bytes;
    this.#hashes[slot] = this.hash;
    return true;
  }

  /** Doubles the number of slots. The stored subtrees are forgotten, which is cheaper than moving them. */
  #grow(): void {
    const slots = (this.#mask + 1) * 2;
    this.#mask = slots - 1;
    this.#trees = emptySlots(slots);
    this.#shapes = emptySlots(slots);
    this.#hashes = new Int32Array(slots);
    this.#sizes = new Int32Array(slots);
    this.#bytes = 0;
    this.#replaced = 0;
  }
}

function hasItems(array: readonly unknown[], stack: readonly unknown[], from: number, to: number): boolean {
  if (array.length !== to - from) return false;
  for (let i = 0; i < array.length; i++) if (array[i] !== stack[from + i]) return false;
  return true;
}

function emptySlots(count: number): undefined[] {
  return Array.from({ length: count }, () => undefined);
}
