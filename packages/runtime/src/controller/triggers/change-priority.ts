import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/change.js';

/** That of objects which nothing happened to just now. */
export const LOW_PRIORITY = -100;

/**
 * Whether what the change leads to goes after the rest: it is of a first list, or a repetition of a version that was told before.
 * A deletion never does.
 */
export function isLowered(change: Change<KubeObject>): boolean {
  if (change.type === 'added') return change.initial;
  if (change.type === 'deleted') return false;
  const [old, now] = [change.old.metadata, change.object.metadata];
  return old.resourceVersion === now.resourceVersion && old.uid === now.uid;
}
