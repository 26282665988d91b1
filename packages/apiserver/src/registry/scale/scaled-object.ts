import type { ReplicasPaths, Steps } from '@kubewright/api/apply';
import { decodeSteps } from '../decoding/decode.js';
import type { ApiObject, IncomingObject, JsonDraft } from '../objects/api-object.js';
import { bindToPath } from '../metadata/metadata-rules.js';
import { checkUid } from '../writing/optimistic-lock.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import { scaleToChange, writeScale } from './scale.js';
import { trackScale } from '../writing/track-draft.js';
import type { ResourceKey } from '../requests/verb-options.js';

/** Updates the Scale of an object with the updater. Returns the object with the new replicas and the managers of the replicas, in steps. */
export function* scaledObject(
  live: ApiObject,
  updater: (scale: ApiObject) => Steps<unknown>,
  write: {
    readonly key: ResourceKey;
    readonly definition: ResourceDefinition;
    /** The definition of the kind Scale. */
    readonly kind: ResourceDefinition;
    readonly paths: ReplicasPaths;
    readonly context: RequestContext;
    readonly now: string;
    /** Checks and changes the Scale in steps, before its validation. */
    readonly mutate: (scale: IncomingObject, before: ApiObject) => Steps<unknown>;
  },
): Steps<JsonDraft> {
  const { key, definition, kind, paths, context, now } = write;
  const before = scaleToChange(live, definition, paths);
  const given = yield* updater(before);
  yield;
  const scale = yield* decodeSteps(given, kind, context);
  bindToPath(scale, kind, key);
  if (context.verb === 'update') checkUid(definition, live.metadata, scale.metadata.uid);
  yield;
  if (context.operation !== 'Apply')
    scale.metadata.managedFields = yield* trackScale(scale, before, { kind, context, now });
  yield;
  yield* write.mutate(scale, before);
  bindToPath(scale, kind, { namespace: key.namespace });
  return yield* writeScale(live, scale, { definition, paths });
}
