/** Where an object keeps the number of bytes that it was made of. */
const size: unique symbol = Symbol('kubewright.bytes');

/** Notes how many bytes an object was made of. Before it is frozen; nobody else sees the note. */
export function noteSize(object: object, bytes: number): void {
  Object.defineProperty(object, size, { value: bytes, configurable: true });
}

/** The bytes that an object was made of; 0 for one of which it was not noted. */
export function sizeOf(object: object): number {
  return (object as { readonly [size]?: number })[size] ?? 0;
}
