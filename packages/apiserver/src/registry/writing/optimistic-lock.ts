import { fieldErrors } from '@kubewright/api/schema';
import type { ApiObject, IncomingObject } from '../objects/api-object.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import type { ServedResources } from '../admission/served-resources.js';
import { conflict, failure, invalid, modified } from '../requests/status-errors.js';
import { versionFault } from '../requests/version-fault.js';

const removedMeanwhile = 'the server could not find the requested resource';

/** Throws 409 if `expected` is set and is not the uid of the object, for example because the object was deleted and recreated. */
export function checkUid(
  definition: ResourceDefinition,
  { namespace, name, uid }: { readonly namespace?: string | undefined; readonly name: string; readonly uid?: string },
  expected: string | undefined,
): void {
  if (expected === undefined || expected === uid) return;
  const folder = definition.strategy.storageFolder ?? definition.plural;
  const key = `/registry/${folder}/${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const why = `Precondition failed: UID in precondition: ${expected}, UID in object meta: ${uid ?? ''}`;
  const code = `Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  throw conflict(definition, name, `StorageError: invalid object, ${code}`);
}

/**
 * Compares the resourceVersion of the draft with the object. A resourceVersion of 0 is the same as an unset resourceVersion.
 * - Throws 409 if the draft sets another resourceVersion than the object has.
 * - Throws 422 if the draft does not set a resourceVersion and the kind requires one.
 * - Throws 500 if the resourceVersion is not a number.
 */
export function checkVersion({ metadata }: IncomingObject, live: ApiObject, definition: ResourceDefinition): void {
  const { name } = live.metadata;
  const expected = parseVersion(metadata.resourceVersion);
  if (expected !== '0') {
    if (expected !== live.metadata.resourceVersion) throw conflict(definition, name, modified);
  } else if (!definition.strategy.allowUnconditionalUpdate) {
    throw invalid({ ...definition, kind: definition.plural }, name, [
      fieldErrors.invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
}

/** Throws 404 if a write after the resourceVersion `begun` has removed the resource, or has changed the definition of a custom resource. */
export function checkServed(registry: ServedResources, definition: ResourceDefinition, begun: string): void {
  if (registry.store.resourceVersion === begun) return;
  const { group, version, plural, era } = definition;
  const served = registry.find(group, version, plural);
  if (served === undefined || served.era !== era)
    throw failure(404, 'NotFound', { message: removedMeanwhile, details: {} });
}

/**
 * Returns a resourceVersion without leading zeros, or '0' if the resourceVersion is unset. Throws 500 with the text of kube-apiserver for
 * an invalid resourceVersion.
 */
export function parseVersion(text: string | undefined): string {
  if (text === undefined || text === '') return '0';
  const fault = versionFault(text);
  if (fault !== undefined) throw failure(500, '', { message: fault });
  return text.replace(/^0+(?=\d)/, '');
}
