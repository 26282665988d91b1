/** Longer than the JSON of an object before its resourceVersion, unless the metadata starts with labels or annotations. */
const MAX_HEAD_BYTES = 1024;
const SCALAR = String.raw`"[A-Za-z]+":(?:"[^"\\]*"|\d+|true|false),`;
/** The start of an object, or of a watch event with an object. For names with other characters, the caller parses the object. */
const HEAD = new RegExp(
  String.raw`^\s*(?:\{"type":"(?:ADDED|MODIFIED|DELETED)","object":)?\{(?:"(?:kind|apiVersion)":"[^"\\]*",)*` +
    String.raw`"metadata":\{(?:${SCALAR})*?"name":"([!#-[\]-~]+)",(?:${SCALAR})*?"resourceVersion":"([^"\\]+)"`,
);

/** The fields that the first bytes of an object contain. */
export interface ObjectHead {
  readonly name: string;
  readonly resourceVersion: string;
}

/**
 * Returns the name and version of an object from the first bytes of its JSON, or of the JSON of a watch event, without parsing the rest.
 * Returns undefined if the fields are not in the order in which API servers write them.
 */
export function readObjectHead(bytes: Buffer): ObjectHead | undefined {
  const [, name, resourceVersion] = HEAD.exec(bytes.toString('latin1', 0, MAX_HEAD_BYTES)) ?? [];
  return name === undefined || resourceVersion === undefined ? undefined : { name, resourceVersion };
}
