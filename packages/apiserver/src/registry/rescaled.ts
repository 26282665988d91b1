import type { ReplicasPaths } from '@kubewright/api/apply';
import { decode } from './decoding/decode.js';
import type { ApiObject } from './json-object.js';
import { bindToPath, timestamp } from './metadata-rules.js';
import { checkUid } from './optimistic-lock.js';
import type { RequestContext } from './request-context.js';
import type { ResourceDefinition } from './resource-definition.js';
import { scaleToChange, writeScale } from './scale.js';
import { trackScale } from './track-draft.js';
import type { ResourceKey } from './verb-options.js';

/** A change of the Scale of an object. */
export interface Rescaling {
  readonly key: ResourceKey;
  readonly definition: ResourceDefinition;
  /** The kind of the Scales. */
  readonly kind: ResourceDefinition;
  readonly paths: ReplicasPaths;
  readonly updater: (scale: ApiObject) => unknown;
  readonly context: RequestContext;
  readonly now: Date;
}

/** Returns the object with the replicas of its changed Scale, and with those who manage them. */
export function rescaled(live: ApiObject, rescaling: Rescaling): unknown {
  const { key, definition, kind, paths, updater, context, now } = rescaling;
  const before = scaleToChange(live, definition, paths);
  const scale = decode(updater(before), kind, context);
  bindToPath(scale, kind, key);
  if (context.verb === 'update') checkUid(definition, live.metadata, scale.metadata.uid);
  if (context.operation !== 'Apply') scale.metadata = trackScale(scale, before, { kind, context, now: timestamp(now) });
  return writeScale(live, scale, { definition, paths });
}
