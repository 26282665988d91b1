import type { ApiObject } from '../objects/api-object.js';
import type { ResourceDefinition } from './resource-definition.js';
import type { ResourceKey } from '../requests/verb-options.js';

/** Returns an object that contains only the apiVersion, the kind, the name and, if given, the namespace. */
export function blankObject({ apiVersion, kind }: ResourceDefinition, { name, namespace }: ResourceKey): ApiObject {
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } } as ApiObject;
}
