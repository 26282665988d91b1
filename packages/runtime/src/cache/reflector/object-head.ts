/**
 * The number of bytes to search. The JSON of an object before its resourceVersion is usually shorter, except if labels or annotations
 * precede the resourceVersion.
 */
const MAX_HEAD_BYTES = 1024;
const SCALAR = String.raw`"[A-Za-z]+":(?:"[^"\\]*"|\d+|true|false),`;
/**
 * Matches the start of an object, or of a watch event with an object. Does not match names with spaces, quotes, backslashes or non-ASCII
 * characters. The caller then parses the object.
 */
const HEAD = new RegExp(
  String.raw`^\s*(?:\{"type":"(?:ADDED|MODIFIED|DELETED)","object":)?\{(?:"(?:kind|apiVersion)":"[^"\\]*",)*` +
    String.raw`"metadata":\{(?:${SCALAR})*?"name":"([!#-[\]-~]+)",(?:${SCALAR})*?"resourceVersion":"([^"\\]+)"`,
);

/** The name and the version of an object, read from the first bytes of its JSON. */
export interface ObjectHead {
  readonly name: string;
  readonly resourceVersion: string;
}

/**
 * Returns the name and the version of an object without parsing the whole object. `bytes` is the JSON of the object or of a watch event.
 * Returns undefined if the start does not match `HEAD`, for example because the fields do not have the order in which API servers write
 * them.
 */
export function readObjectHead(bytes: Buffer): ObjectHead | undefined {
  const [, name, resourceVersion] = HEAD.exec(bytes.toString('latin1', 0, MAX_HEAD_BYTES)) ?? [];
  return name === undefined || resourceVersion === undefined ? undefined : { name, resourceVersion };
}
