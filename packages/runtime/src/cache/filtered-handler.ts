import type { KubeObject } from '@kubewright/api';
import type { Change } from './change.js';
import type { ChangeHandler } from './shared-informer.js';

/**
 * A handler that sees only the objects which the filter lets through: one that comes to match is added for it, one that ceases to
 * match is deleted, with its last matching state.
 */
export function filteredHandler<T extends KubeObject>(
  filter: (object: T) => boolean,
  handler: ChangeHandler<T>,
): ChangeHandler<T> {
  return {
    onChange: (change) => {
      const seen = filteredChange(filter, change);
      if (seen !== undefined) handler.onChange(seen);
    },
    onSynced: () => handler.onSynced?.(),
  };
}

/** Returns what a change means for the objects that the filter lets through; undefined for nothing. */
export function filteredChange<T extends KubeObject>(
  filter: (object: T) => boolean,
  change: Change<T>,
): Change<T> | undefined {
  if (change.type !== 'modified') return filter(change.object) ? change : undefined;
  const [before, now] = [filter(change.old), filter(change.object)];
  if (before && now) return change;
  if (now) return { type: 'added', object: change.object, initial: false };
  return before ? { type: 'deleted', object: change.old, stale: false } : undefined;
}
