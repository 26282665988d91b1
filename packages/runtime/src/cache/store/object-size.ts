/** The property that contains the size of an object's JSON. */
const size: unique symbol = Symbol('kubewright.bytes');

/** Records the size of an object's JSON in bytes. Call the function before the object is frozen. The property is not enumerable. */
export function noteSize(object: object, bytes: number): void {
  Object.defineProperty(object, size, { value: bytes, configurable: true });
}

/** Returns the size of an object's JSON in bytes; 0 if the size was not recorded. */
export function sizeOf(object: object): number {
  return (object as { readonly [size]?: number })[size] ?? 0;
}
