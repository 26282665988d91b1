import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import type { Change } from '../../cache/store/change.js';
import { labelMatcher } from '../../cache/store/label-match.js';
import { desiredStateDiffers } from './desired-state.js';

/**
 * Whether a change triggers a reconcile. A predicate reduces the number of reconciles, but not memory or watch traffic. If a predicate
 * throws, the error is logged and counted, and the change triggers a reconcile.
 */
export type Predicate<T> = (change: Change<T>) => boolean;

/**
 * Accepts a modification if the selected value differs (deep comparison). Accepts additions, deletions and replacements by an object with
 * another uid.
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
 * Accepts a modification if a label was added, removed or changed. Missing labels equal an empty map.
 *
 * @example
 * watch(Node, { map: poolsOf, when: labelsChanged() })
 */
export function labelsChanged<T extends KubeObject>(): Predicate<T> {
  return changed(({ metadata }) => metadata.labels ?? {});
}
/**
 * Accepts a modification if an annotation was added, removed or changed. Missing annotations equal an empty map.
 *
 * @example
 * owned(Pod, { when: any(labelsChanged(), annotationsChanged()) })
 */
export function annotationsChanged<T extends KubeObject>(): Predicate<T> {
  return changed(({ metadata }) => metadata.annotations ?? {});
}

/**
 * Accepts a change if the old or the new object matches the filter, so that the controller also sees objects that stop matching.
 *
 * @example
 * matching((machine) => machine.metadata.namespace === 'production')
 */
export function matching<T>(filter: (object: T) => boolean): Predicate<T> {
  return (change) => filter(change.object) || (change.type === 'modified' && filter(change.old));
}
/**
 * Accepts a change if the old or the new object has the labels, or matches a selector such as 'tier in (web, db)'. The option `labels` of a
 * watch also reduces memory and watch traffic, because the API server selects the objects. Throws INVALID_SELECTOR.
 *
 * @example
 * owned(Pod, { when: not(matchingLabels({ quiet: 'yes' })) })
 */
export function matchingLabels<T extends KubeObject>(labels: Readonly<Record<string, string>> | string): Predicate<T> {
  return matching(labelMatcher(labels));
}

/**
 * Accepts a modification if the uid, generation, deletionTimestamp, labels, annotations, finalizers, or a field other than metadata and
 * status changed. Accepts all additions and deletions, and the repeated objects of a cache with `resync`. This is the default predicate of
 * `for`.
 *
 * @example
 * @Controller({ for: Machine, when: all(desiredStateChanged(), matching((machine) => machine.spec.managed)) })
 */
export function desiredStateChanged<T extends KubeObject>(): Predicate<T> {
  return (change) =>
    change.type !== 'modified' || change.old === change.object || desiredStateDiffers(change.old, change.object);
}

/**
 * Combines one predicate for each type of change. Changes of a type without a predicate are accepted.
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

/** Accepts a change if all predicates accept it. */
export function all<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}
/** Accepts a change if at least one predicate accepts it. */
export function any<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}
/** Accepts a change if the predicate rejects it, and the reverse. */
export function not<T>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}

/** Returns a predicate that accepts the change if the given predicate throws or returns a promise. Calls `onProblem` with the error. */
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

/** Whether the new object has another uid, because the old object was deleted and recreated. */
function isOther<T>({ old, object }: { readonly old: T; readonly object: T }): boolean {
  const uidOf = (value: T): unknown => (value as { readonly metadata?: { readonly uid?: unknown } }).metadata?.uid;
  return uidOf(old) !== uidOf(object);
}
