import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';

/** The amount that is added to the priority for changes that are not recent. See `isLowered`. */
export const LOW_PRIORITY = -100;

/**
 * Whether a change has a reduced priority. This is the case for objects of the first list, and for events that do not change the version of
 * the object. Deletions never have a reduced priority.
 */
export function isLowered(change: Change<KubeObject>): boolean {
  if (change.type === 'added') return change.initial;
  if (change.type === 'deleted') return false;
  const [old, now] = [change.old.metadata, change.object.metadata];
  return old.resourceVersion === now.resourceVersion && old.uid === now.uid;
}
