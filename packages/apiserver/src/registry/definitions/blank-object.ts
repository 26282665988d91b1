import type { ApiObject } from '../objects/api-object.js';
import type { ResourceDefinition } from './resource-definition.js';
import type { ResourceKey } from '../requests/verb-options.js';

/** Returns an object that contains only its type, its name and its namespace. */
export function blankObject({ apiVersion, kind }: ResourceDefinition, { name, namespace }: ResourceKey): ApiObject {
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } } as ApiObject;
}
