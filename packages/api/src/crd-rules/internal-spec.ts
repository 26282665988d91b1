import { deepEqual } from '../patch/deep-equal.js';
import { objectsAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';

const perVersion = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/**
 * The spec of a definition in the internal form of the API server. A field that is equal in all versions is in `top` and not in the
 * versions, so the path of an error in the field does not contain a version.
 */
export interface InternalSpec {
  readonly versions: readonly JsonObject[];
  readonly top: JsonObject;
}

/** Returns the spec of a definition in the internal form of the API server. */
export function internalSpec(spec: JsonObject): InternalSpec {
  const versions = objectsAt(spec, 'versions').map((version) => ({ ...version }));
  const top: Record<string, unknown> = {};
  for (const field of perVersion) {
    const first = versions[0]?.[field];
    if (first === undefined || !versions.every((version) => deepEqual(version[field], first))) continue;
    top[field] = first;
    for (const version of versions) delete version[field];
  }
  return { versions, top };
}
