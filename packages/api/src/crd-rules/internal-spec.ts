import { deepEqual } from '../patch/deep-equal.js';
import { objectsAt } from '../json/value-at.js';
import type { JsonObject } from '../json/json-object.js';

const perVersion = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/**
 * A definition as the server's rules see it: what all its versions have in common stands at the top, which is also where
 * the errors about it point to, and no longer in the versions.
 */
export interface InternalSpec {
  readonly versions: readonly JsonObject[];
  readonly top: JsonObject;
}

/** The spec of a definition in the form of the server's rules. */
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
