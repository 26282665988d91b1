import { PathReader } from './path-reader.js';

/** What a path selects from an object: nothing where a field is missing. */
export type JsonPath = (object: unknown) => readonly unknown[];

/**
 * Compiles a JSONPath as print columns of a CRD hold it: `.spec.size`, `.metadata.labels.app\.kubernetes\.io/name`,
 * `.status.conditions[?(@.type=="Ready")].status`, `['a.b']`, `[0]`, `[-1]`, `[0:2]`, `[*]`, `..name`. Braces around it are
 * allowed. Throws INVALID_JSON_PATH with the position of what cannot be read.
 *
 * @example
 * compileJsonPath('.spec.replicas')({ spec: { replicas: 2 } }); // [2]
 */
export function compileJsonPath(path: string): JsonPath {
  const steps = new PathReader(path).read();
  return (object) => steps.reduce<readonly unknown[]>((values, step) => step(values), [object]);
}
