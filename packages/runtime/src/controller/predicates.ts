import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@kubewright/api';
import type { Change } from '../cache/change.js';
import { desiredStateDiffers } from './desired-state.js';

/** Whether a change is worth a reconcile. Saves reconciles, not memory or watch traffic. */
export type Predicate<T> = (change: Change<T>) => boolean;

/** Lets a modification through when the selected part differs (deeply); additions and deletions always. */
export function changed<T>(select: (object: T) => unknown): Predicate<T> {
  return (change) => change.type !== 'modified' || !isDeepStrictEqual(select(change.old), select(change.object));
}

/** Lets a change through when the old or the new object matches, so that leaving the filter is seen. */
export function matching<T>(filter: (object: T) => boolean): Predicate<T> {
  return (change) => filter(change.object) || (change.type === 'modified' && filter(change.old));
}

/** Spec, labels, annotations, finalizers or the wish to delete changed. What `for` uses when nothing is said. */
export function desiredStateChanged<T extends KubeObject>(): Predicate<T> {
  return (change) => change.type !== 'modified' || desiredStateDiffers(change.old, change.object);
}

export function all<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}
export function any<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}
export function not<T>(predicate: Predicate<T>): Predicate<T> {
  return (change) => !predicate(change);
}
