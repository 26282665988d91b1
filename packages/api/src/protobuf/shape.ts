import { setField } from '../json/json-object.js';

/** The maximum number of shapes of all messages, and of shapes that extend the same shape by one property. */
const MAX_SHAPES = 16_384;
const MAX_LONGER = 256;
/** The maximum number of keys of a map with a shape. */
const MAX_KEYS = 32;

/** Anything that adds a property to an object: a field, or the key of a map. */
export type ShapeKey = string | { readonly name: string };

/**
 * The names of the first properties of an object, in their order. A shape refers to the shapes with one more property, so that a decoder
 * finds the shape of an object while it reads the fields.
 */
export class Shape {
  static #count = 0;
  readonly names: readonly string[];
  /** The key and the shape with one more property that the last object had. */
  #nextKey: ShapeKey | undefined;
  #next: Shape | undefined;
  #missing: readonly { readonly name: string }[] | undefined;
  #longer: Map<ShapeKey, Shape> | undefined;
  #make: (new () => Record<string, unknown>) | undefined;
  /**
   * Whether all objects of the shape have the same hidden class in the engine. False if there are too many shapes, or if a name is
   * `__proto__`. Such a shape is used for only one object.
   */
  readonly #isKept: boolean;

  constructor(names: readonly string[] = [], isKept = true) {
    this.names = names;
    this.#isKept = isKept;
  }

  /** Returns the shape with one more property, which this shape must not have. */
  with(key: ShapeKey): Shape {
    if (this.#nextKey === key) return this.#next as Shape;
    return this.#with(key);
  }

  #withAll(keys: readonly string[], from = 0): Shape {
    const key = keys[from];
    return key === undefined ? this : this.with(key).#withAll(keys, from + 1);
  }

  #with(key: ShapeKey): Shape {
    let shape = this.#longer?.get(key);
    if (shape === undefined) {
      const name = typeof key === 'string' ? key : key.name;
      // Own names of an object are unique strings in memory. The engine finds properties with such names faster.
      const [unique = name] = Object.keys({ [name]: true });
      this.#longer ??= new Map();
      const isKept =
        this.#isKept && name !== '__proto__' && Shape.#count < MAX_SHAPES && this.#longer.size < MAX_LONGER;
      shape = new Shape([...this.names, unique], isKept);
      if (!isKept) return shape;
      Shape.#count++;
      this.#longer.set(key, shape);
    }
    this.#nextKey = key;
    this.#next = shape;
    return shape;
  }

  /** Returns the fields of a list that the shape does not have. The list must be the same for every call. */
  missing<T extends { readonly name: string }>(fields: readonly T[]): readonly T[] {
    this.#missing ??= fields.filter(({ name }) => !this.names.includes(name));
    return this.#missing as readonly T[];
  }

  /**
   * Returns an object with the given keys, which must be distinct, for a shape without names. The values start at the index `from` of the
   * stack.
   */
  objectWith(keys: readonly string[], stack: readonly unknown[], from: number): Record<string, unknown> {
    if (keys.length > MAX_KEYS) {
      const object = {};
      for (let i = 0; i < keys.length; i++) setField(object, keys[i] as string, stack[from + i]);
      return object;
    }
    return this.#withAll(keys).object(stack, from);
  }

  /** Returns an object whose values start at this position of the stack. */
  object(stack: readonly unknown[], from: number): Record<string, unknown> {
    const { names } = this;
    if (!this.#isKept) {
      const object = {};
      for (let i = 0; i < names.length; i++) setField(object, names[i] as string, stack[from + i]);
      return object;
    }
    this.#make ??= objectMaker();
    const object = new this.#make();
    for (let i = 0; i < names.length; i++) object[names[i] as string] = stack[from + i];
    return object;
  }
}

/**
 * Returns a constructor of objects with one shape. The prototype is that of object literals. The engine counts the properties of the first
 * objects, and then allocates exactly this number.
 */
function objectMaker(): new () => Record<string, unknown> {
  function Made(): void {}
  Made.prototype = Object.prototype;
  return Made as unknown as new () => Record<string, unknown>;
}
