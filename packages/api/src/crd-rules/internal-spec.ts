import { deepEqual } from '../patch/deep-equal.js';
import { objectsAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';

const perVersion = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/**
 * A definition in the internal form of the API server: fields that are equal in all versions are moved from the versions to the top. Errors
 * in those fields refer to the top.
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
