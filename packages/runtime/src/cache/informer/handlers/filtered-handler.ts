import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../store/change.js';
import type { ChangeHandler } from './change-handler.js';

/**
 * Returns a handler that receives only the objects that match the filter. An object that starts to match is added. An object that stops
 * matching is deleted, with its last matching state.
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

/** Converts a change into a change of the objects that match the filter. Returns undefined if the change does not affect these objects. */
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
