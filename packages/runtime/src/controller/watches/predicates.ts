import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Change } from '../../cache/store/change.js';
import { labelMatcher } from '../../cache/store/label-match.js';
import { desiredStateDiffers } from './desired-state.js';

/**
 * Returns whether a change triggers a reconcile. Predicates reduce the number of reconciles. They do not reduce memory use or watch
 * traffic. If a predicate throws, the error is logged and counted, and the change triggers a reconcile.
 */
export type Predicate<T> = (change: Change<T>) => boolean;

/**
 * Returns a predicate that accepts a modification if the selected value has changed. Values are compared deeply. Also accepts additions,
 * deletions, and a modification in which the uid has changed.
 *
 * @example
 * changed((machine) => machine.metadata.generation) // changes of the spec
 * changed((machine) => machine.metadata.resourceVersion) // every new version
 * changed((machine) => machine.metadata.finalizers)
 */
export function changed<T>(select: (object: T) => unknown): Predicate<T> {
  return (change) =>
    change.type !== 'modified' || isOther(change) || !isDeepStrictEqual(select(change.old), select(change.object));
}

/**
 * Returns a predicate that accepts a modification if a label was added, removed or changed. Treats missing labels like an empty map. Also
 * accepts additions and deletions.
 *
 * @example
 * watch(Node, { map: poolsOf, when: labelsChanged() })
 */
export function labelsChanged<T extends KubeObject>(): Predicate<T> {
  return changed(({ metadata }) => metadata.labels ?? {});
}
/**
 * Returns a predicate that accepts a modification if an annotation was added, removed or changed. Treats missing annotations like an empty
 * map. Also accepts additions and deletions.
 *
 * @example
 * owned(Pod, { when: any(labelsChanged(), annotationsChanged()) })
 */
export function annotationsChanged<T extends KubeObject>(): Predicate<T> {
  return changed(({ metadata }) => metadata.annotations ?? {});
}

/**
 * Returns a predicate that accepts a change if the old or the new object matches the filter. The controller therefore also reconciles when
 * an object stops matching.
 *
 * @example
 * matching((machine) => machine.metadata.namespace === 'production')
 */
export function matching<T>(filter: (object: T) => boolean): Predicate<T> {
  return (change) => filter(change.object) || (change.type === 'modified' && filter(change.old));
}
/**
 * Returns a predicate that accepts a change if the old or the new object has these labels, or matches a selector such as 'tier in (web,
 * db)'. To also reduce memory use and watch traffic, use the option `labels` of a watch instead: the API server then selects the objects.
 * Throws INVALID_SELECTOR.
 *
 * @example
 * owned(Pod, { when: not(matchingLabels({ quiet: 'yes' })) })
 */
export function matchingLabels<T extends KubeObject>(labels: Readonly<Record<string, string>> | string): Predicate<T> {
  return matching(labelMatcher(labels));
}

/**
 * Returns the default predicate of `for`. Accepts a modification if the uid, generation, deletionTimestamp, labels, annotations,
 * finalizers, or a field other than metadata and status has changed. Also accepts additions, deletions, and the repeated objects of a cache
 * with `resync`.
 *
 * @example
 * @Controller({ for: Machine, when: all(desiredStateChanged(), matching((machine) => machine.spec.managed)) })
 */
export function desiredStateChanged<T extends KubeObject>(): Predicate<T> {
  return (change) =>
    change.type !== 'modified' || change.old === change.object || desiredStateDiffers(change.old, change.object);
}

/**
 * Returns a predicate that calls a different function for each type of change. Accepts changes of a type that has no function.
 *
 * @example
 * byChange({ added: () => false, modified: (machine, old) => machine.spec.size > old.spec.size })
 */
export function byChange<T>(predicates: {
  readonly added?: (object: T, initial: boolean) => boolean;
  readonly modified?: (object: T, old: T) => boolean;
  readonly deleted?: (object: T) => boolean;
}): Predicate<T> {
  return (change) => {
    switch (change.type) {
      case 'added':
        return predicates.added?.(change.object, change.initial) ?? true;
      case 'modified':
        return predicates.modified?.(change.object, change.old) ?? true;
      case 'deleted':
        return predicates.deleted?.(change.object) ?? true;
    }
  };
}

/** Returns a predicate that accepts a change if all given predicates accept the change. */
export function all<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}
/** Returns a predicate that accepts a change if at least one given predicate accepts the change. */
export function any<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}
/** Returns a predicate that accepts the changes that the given predicate rejects. */
export function not<T>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}

/**
 * Returns a predicate that also accepts a change if the given predicate throws or returns a promise. Calls `onProblem` with the error in
 * this case.
 */
export function guardedPredicate<T>(
  predicate: Predicate<T>,
  onProblem: (error: unknown, change: Change<T>) => void,
): Predicate<T> {
  return (change) => {
    try {
      const verdict: unknown = predicate(change);
      if (typeof (verdict as PromiseLike<unknown> | undefined)?.then !== 'function') return Boolean(verdict);
      throw new KubewrightError(
        'ASYNC_PREDICATE',
        'the predicate returned a promise: it must return a boolean synchronously',
      );
    } catch (error) {
      onProblem(error, change);
      return true;
    }
  };
}

/** Whether the uid has changed, because the object was deleted and recreated. */
function isOther<T>({ old, object }: { readonly old: T; readonly object: T }): boolean {
  const uidOf = (value: T): unknown => (value as { readonly metadata?: { readonly uid?: unknown } }).metadata?.uid;
  return uidOf(old) !== uidOf(object);
}
