import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../store/change.js';
import type { ChangeHandler } from './change-handler.js';

/**
 * Returns a handler that receives only objects that match the filter. If an object starts to match, the handler receives an addition. If an
 * object stops matching, the handler receives a deletion with the last matching state.
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

/** Converts a change to a change of the matching objects. Returns undefined if neither the old nor the new object matches. */
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
