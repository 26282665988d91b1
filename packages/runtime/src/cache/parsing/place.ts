import { RecentSubtrees } from './recent-subtrees.js';

/** The maximum number of shapes at a place, and of properties that have a place of their own. */
const MAX_SHAPES = 256;
const MAX_CHILDREN = 64;
/** The maximum number of places and shapes of a kind. */
const MAX_PARTS = 4096;

/** The number of places and shapes that a kind may still add, and the place that is used if the number is 0. */
interface Remaining {
  parts: number;
  readonly rest: Place | undefined;
}

/**
 * A place in the objects of a kind, such as `.spec.containers[]`. Knows the shapes of the objects at this place, and remembers subtrees
 * that occurred more than once.
 */
export class Place {
  readonly recent = new RecentSubtrees();
  /** The shape without properties. */
  readonly empty: Shape = new Shape(this, [], { name: '', hash: 0, isSkipped: false });
  readonly #remaining: Remaining;
  readonly #omittedName: string | undefined;
  readonly #children = new Map<string, Place>();
  #items: Place | undefined;
  #shapes = 0;

  private constructor(remaining: Remaining, omittedName?: string) {
    this.#remaining = remaining;
    this.#omittedName = omittedName;
  }

  /** Returns the place of the objects of a kind. */
  static root(): Place {
    return new Place({ parts: MAX_PARTS, rest: new Place({ parts: 0, rest: undefined }) });
  }

  /** The place of the items, if the value at this place is an array. */
  get items(): Place {
    this.#items ??= this.#part();
    return this.#items;
  }

  /**
   * Returns the place of the value of a property. The first `MAX_CHILDREN` properties have their own places. All other properties share
   * `items`.
   * @param omittedName the property that the reader omits from the objects at the returned place
   */
  child(name: string, omittedName?: string): Place {
    let child = this.#children.get(name);
    if (child !== undefined) return child;
    if (this.#children.size >= MAX_CHILDREN) return this.items;
    child = this.#part(omittedName);
    this.#children.set(name, child);
    return child;
  }

  /** Whether the reader omits the property from the objects at this place. */
  omits(name: string): boolean {
    return name === this.#omittedName;
  }

  /** Returns a new shape with one more property. Returns undefined if the place has too many shapes, or if the shape has the property. */
  add(shape: Shape, name: string): Shape | undefined {
    if (this.#shapes >= MAX_SHAPES || this.#remaining.parts <= 0 || shape.names.includes(name)) return undefined;
    this.#shapes++;
    this.#remaining.parts--;
    return shape.add(name, this.omits(name));
  }

  #part(omittedName?: string): Place {
    if (this.#remaining.parts <= 0) return this.#remaining.rest ?? this;
    this.#remaining.parts--;
    return new Place(this.#remaining, omittedName);
  }
}

/**
 * The names of the first properties of an object, in their order. A shape refers to the shapes with one more property, so that a reader
 * finds the shape of an object while it reads the names.
 */
export class Shape {
  readonly names: readonly string[];
  readonly hash: number;
  /** The JSON of the last name with the colon, for example `"spec":`. */
  readonly key: Buffer;
  /** Whether the value of the last property is skipped. Such a property is not in `names`. */
  readonly isSkipped: boolean;
  /** The shape with one more property that was used last. The reader tries this shape first. */
  next: Shape | undefined;
  readonly #name: string;
  /** The place of the objects with this shape. */
  readonly parent: Place;
  #place: Place | undefined;
  #longer: Map<string, Shape> | undefined;
  #make: (new () => Record<string, unknown>) | undefined;

  constructor(
    parent: Place,
    names: readonly string[],
    last: { readonly name: string; readonly hash: number; readonly isSkipped: boolean },
  ) {
    this.parent = parent;
    this.names = names;
    this.#name = last.name;
    this.hash = last.hash;
    this.isSkipped = last.isSkipped;
    this.key = Buffer.from(`${JSON.stringify(last.name)}:`);
  }

  /** The place of the value of the last property. */
  get place(): Place {
    this.#place ??= this.parent.child(this.#name);
    return this.#place;
  }

  /** Returns the shape with this additional property. Returns undefined if the shape was not added yet. */
  with(name: string): Shape | undefined {
    const shape = this.#longer?.get(name);
    if (shape !== undefined) this.next = shape;
    return shape;
  }

  /** Adds the shape with one more property, which this shape must not have. */
  add(name: string, isSkipped: boolean): Shape {
    // Own names of an object are unique strings in memory. The engine finds properties with such names faster.
    const [unique = name] = Object.keys({ [name]: true });
    const names = isSkipped ? this.names : [...this.names, unique];
    const shape = new Shape(this.parent, names, {
      name,
      hash: (Math.imul(this.hash, 31) + hashOf(name)) | 0,
      isSkipped,
    });
    this.#longer ??= new Map();
    this.#longer.set(unique, shape);
    this.next = shape;
    return shape;
  }

  /** Returns an object whose values start at this position of the stack. */
  object(stack: readonly unknown[], from: number): Record<string, unknown> {
    this.#make ??= objectMaker();
    const object = new this.#make();
    const { names } = this;
    for (let i = 0; i < names.length; i++) object[names[i] as string] = stack[from + i];
    return object;
  }

  /** Whether the values of an object of this shape are the values that start at this position of the stack. */
  hasValues(object: Readonly<Record<string, unknown>>, stack: readonly unknown[], from: number): boolean {
    const { names } = this;
    for (let i = 0; i < names.length; i++) if (object[names[i] as string] !== stack[from + i]) return false;
    return true;
  }
}

/**
 * Returns a constructor of objects with one shape. The prototype is that of object literals. The engine counts the properties of the first
 * objects, and then allocates exactly this number. A literal without properties would have room for four properties, and a second
 * allocation for more.
 */
function objectMaker(): new () => Record<string, unknown> {
  function Made(): void {}
  Made.prototype = Object.prototype;
  return Made as unknown as new () => Record<string, unknown>;
}

function hashOf(name: string): number {
  let hash = name.length;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
  return hash;
}
