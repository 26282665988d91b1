import { controlledBy, controllerKey } from '../../objects/controller-reference.js';
import { keyText } from '../../objects/object-reference.js';
import { ownerSelector } from '../../objects/owner-selector.js';
import type { KeyQueue } from '../../work/controller.js';
import type { ObjectIndex } from '../../work/object-index.js';
import type { FeedEvent } from '../../work/resource-feed.js';

/** A kind whose objects control other objects and select them with `spec.selector`. */
export interface OwnerKind {
  readonly bucket: string;
  readonly group: string;
  readonly kind: string;
  /** The buckets of the objects that the owners control. */
  readonly controls: readonly string[];
}

/**
 * Queues the owners that a change affects: a changed owner, or the owner that controls a changed object. If no owner controls the object,
 * queues each owner whose selector selects the object, because the owner can adopt the object.
 */
export function queueOwners(
  { type, bucket, object }: FeedEvent,
  owner: OwnerKind,
  { index, queue }: { readonly index: ObjectIndex; readonly queue: KeyQueue },
): void {
  if (bucket === owner.bucket && type !== 'DELETED') queue.add(keyText(object.metadata));
  if (!owner.controls.includes(bucket)) return;
  const key = controllerKey(object, owner);
  if (key !== undefined) queue.add(key);
  if (type === 'DELETED' || controlledBy(object) !== undefined) return;
  for (const candidate of index.inNamespace(owner.bucket, object.metadata.namespace)) {
    const selector = ownerSelector(candidate);
    if (!selector.empty && selector.matches(object.metadata.labels ?? {})) queue.add(keyText(candidate.metadata));
  }
}
