import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/store/change.js';

/** The priority offset of changes that are not recent. */
export const LOW_PRIORITY = -100;

/**
 * Whether the change has a lower priority, because it belongs to a first list or repeats a known version. A deletion never has a lower
 * priority.
 */
export function isLowered(change: Change<KubeObject>): boolean {
  if (change.type === 'added') return change.initial;
  if (change.type === 'deleted') return false;
  const [old, now] = [change.old.metadata, change.object.metadata];
  return old.resourceVersion === now.resourceVersion && old.uid === now.uid;
}
