import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@kubewright/api';
import type { Change } from '../../cache/change.js';
import { labelMatcher } from '../../cache/label-match.js';
import { desiredStateDiffers } from './desired-state.js';

/**
 * Whether a change is worth a reconcile. Saves reconciles, not memory or watch traffic. One that throws is logged and counted, and the
 * change counts: rather a reconcile too many than one that is missing.
 */
export type Predicate<T> = (change: Change<T>) => boolean;

/**
 * Lets a modification through when the selected part differs (deeply); additions, deletions and another object of the same name always.
 *
 * @example
 * changed((machine) => machine.metadata.generation) // what the spec asks for
 * changed((machine) => machine.metadata.resourceVersion) // any change, but no repetition
 * changed((machine) => machine.metadata.finalizers)
 */
export function changed<T>(select: (object: T) => unknown): Predicate<T> {
  return (change) =>
    change.type !== 'modified' || isOther(change) || !isDeepStrictEqual(select(change.old), select(change.object));
}

/**
 * Lets a modification through when a label was added, removed or changed; that there are none is the same as that there are no labels.
 *
 * @example
 * watch(Node, { map: poolsOf, when: labelsChanged() })
 */
export function labelsChanged<T extends KubeObject>(): Predicate<T> {
  return changed(({ metadata }) => metadata.labels ?? {});
}
/**
 * Lets a modification through when an annotation was added, removed or changed; none is the same as no annotations.
 *
 * @example
 * @Controller({ for: Machine, when: any(desiredStateChanged(), annotationsChanged()) })
 */
export function annotationsChanged<T extends KubeObject>(): Predicate<T> {
  return changed(({ metadata }) => metadata.annotations ?? {});
}

/**
 * Lets a change through when the old or the new object matches, so that leaving the filter is seen.
 *
 * @example
 * matching((machine) => machine.metadata.namespace === 'production')
 */
export function matching<T>(filter: (object: T) => boolean): Predicate<T> {
  return (change) => filter(change.object) || (change.type === 'modified' && filter(change.old));
}
/**
 * Lets a change through when the old or the new object has such labels: equal ones, or a selector such as 'tier in (web, db)'. Where a
 * watch has `labels` they save more, for the server selects. Throws INVALID_SELECTOR.
 *
 * @example
 * owned(Pod, { when: not(matchingLabels({ quiet: 'yes' })) })
 */
export function matchingLabels<T extends KubeObject>(labels: Readonly<Record<string, string>> | string): Predicate<T> {
  return matching(labelMatcher(labels));
}

/**
 * Spec, labels, annotations, finalizers or the wish to delete changed, or the object comes again by the `resync` of the cache. What
 * `for` uses when nothing is said.
 *
 * @example
 * @Controller({ for: Machine, when: all(desiredStateChanged(), matching((machine) => machine.spec.managed)) })
 */
export function desiredStateChanged<T extends KubeObject>(): Predicate<T> {
  return (change) =>
    change.type !== 'modified' || change.old === change.object || desiredStateDiffers(change.old, change.object);
}

/**
 * A predicate for each way to change; where there is none the change is let through.
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

/** Lets a change through that all of the predicates let through. */
export function all<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}
/** Lets a change through that one of the predicates lets through, or more. */
export function any<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}
/** Lets a change through that the predicate holds back, and the other way round. */
export function not<T>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}

/** The predicate, with true in its place where it throws or gives a promise. `onMistake` is told why. */
export function guardedPredicate<T>(
  predicate: Predicate<T>,
  onMistake: (error: unknown, change: Change<T>) => void,
): Predicate<T> {
  return (change) => {
    try {
      const verdict: unknown = predicate(change);
      if (typeof (verdict as PromiseLike<unknown> | undefined)?.then !== 'function') return Boolean(verdict);
      throw new TypeError('the predicate returned a promise: it has to answer at once');
    } catch (error) {
      onMistake(error, change);
      return true;
    }
  };
}

/** Whether the new object is another one than the old, made after it was deleted. */
function isOther<T>({ old, object }: { readonly old: T; readonly object: T }): boolean {
  const uidOf = (value: T): unknown => (value as { readonly metadata?: { readonly uid?: unknown } }).metadata?.uid;
  return uidOf(old) !== uidOf(object);
}
