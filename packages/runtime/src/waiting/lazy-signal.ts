/**
 * An object whose `signal` is created when the property is first read, because most readers of the object do not need it. The property
 * belongs to the object itself, so that a copy by spread contains the signal. All objects share one getter: V8 creates a hidden class for
 * each object with a getter of its own.
 */
export class LazySignal {
  static readonly #PROPERTY = {
    get(this: LazySignal): AbortSignal {
      return this.#read();
    },
    enumerable: true,
  };
  declare readonly signal: AbortSignal;
  readonly #read: () => AbortSignal;

  constructor(read: () => AbortSignal) {
    this.#read = read;
    Object.defineProperty(this, 'signal', LazySignal.#PROPERTY);
  }
}
