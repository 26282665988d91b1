/** The property that contains the size of the JSON of an object. */
const size: unique symbol = Symbol('kubewright.bytes');

/** Records the size of the JSON of an object, in bytes. Call this function before the object is frozen. The property is not enumerable. */
export function noteSize(object: object, bytes: number): void {
  Object.defineProperty(object, size, { value: bytes, configurable: true });
}

/** Returns the size of the JSON of an object, in bytes. Returns 0 if no size was recorded. */
export function sizeOf(object: object): number {
  return (object as { readonly [size]?: number })[size] ?? 0;
}
