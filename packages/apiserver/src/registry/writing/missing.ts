import { finish, type Steps } from '@kubewright/api/apply';
import { blankObject } from '../definitions/blank-object.js';
import { decode } from '../decoding/decode.js';
import type { ApiObject } from '../objects/api-object.js';
import { bindToPath } from '../metadata/metadata-rules.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { absent } from '../requests/status-errors.js';
import type { ResourceKey } from '../requests/verb-options.js';

/**
 * Returns the error for an update of an object that does not exist: 404, or 400 if the name is not valid in a path. Throws 400 if the body
 * of a PUT is not valid or does not match the path.
 */
export function missing(
  definition: ResourceDefinition,
  key: ResourceKey,
  update: {
    /** The kind of the body. */
    readonly kind: ResourceDefinition;
    readonly updater: (live: ApiObject) => Steps<unknown>;
    readonly context: RequestContext;
  },
): Error {
  const { kind, updater, context } = update;
  if (context.verb === 'update') {
    bindToPath(decode(finish(updater(blankObject(definition, key))), kind, context), kind, key);
  }
  return absent(definition, key.name);
}
