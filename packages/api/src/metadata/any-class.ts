/** A class, as a key of metadata. */
export type AnyClass = abstract new (...args: never[]) => object;
