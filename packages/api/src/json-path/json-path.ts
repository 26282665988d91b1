import { PathReader } from './path-reader.js';

/** Returns the values that a path selects from an object. Returns an empty list if a field is missing. */
export type JsonPath = (object: unknown) => readonly unknown[];

/**
 * Compiles a JSONPath as in the print columns of a CRD: `.spec.size`, `.metadata.labels.app\.kubernetes\.io/name`,
 * `.status.conditions[?(@.type=="Ready")].status`, `['a.b']`, `[0]`, `[-1]`, `[0:2]`, `[*]`, `..name`. Surrounding braces are allowed.
 * Throws INVALID_JSON_PATH with the position of the error.
 * @example
 * compileJsonPath('.spec.replicas')({ spec: { replicas: 2 } }); // [2]
 */
export function compileJsonPath(path: string): JsonPath {
  const steps = new PathReader(path).read();
  return (object) => steps.reduce<readonly unknown[]>((values, step) => step(values), [object]);
}
