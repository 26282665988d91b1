import type { KubeObject, ObjectKey } from '@kubewright/api';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { formatKey } from './object-key.js';

/** An own write that the watch has not delivered yet. */
export type OwnWrite<T> =
  /** Reads return this object, if the cache selects this object. */
  | { readonly type: 'written'; readonly object: T; readonly resourceVersion: string }
  /**
   * Reads do not return the stored object if it has this uid. The version is empty if the server did not return a version for the deletion.
   */
  | {
      readonly type: 'deleted';
      readonly key: ObjectKey;
      readonly uid: string | undefined;
      readonly resourceVersion: string;
    };

/** The uid and the version of a deletion. */
export interface Deletion {
  /** The uid of the deleted object. @default the uid of the object that reads return for the key */
  readonly uid?: string | undefined;
  /** The version of the deletion. @default unknown */
  readonly resourceVersion?: string;
}

/**
 * Stores own writes, so that reads return them before the watch delivers them. Removes each write when the watch has delivered it. Reads
 * therefore never return an older state than before, and the overlay remains small.
 */
export class Overlay<T extends KubeObject> {
  readonly #writes = new Map<string, OwnWrite<T>>();
  /**
   * The writes with a version, from the oldest to the newest version, so that an event does not check all writes. Contains removed writes
   * until a watch reaches their version.
   */
  readonly #byVersion: OwnWrite<T>[] = [];

  get isEmpty(): boolean {
    return this.#writes.size === 0;
  }

  /** Returns the own write that replaces the stored object with this key. Returns undefined if there is none. */
  get(key: ObjectKey): OwnWrite<T> | undefined {
    return this.#writes.get(formatKey(key));
  }

  values(): IterableIterator<OwnWrite<T>> {
    return this.#writes.values();
  }

  /**
   * Adds a written object. Ignores the object if the store or another own write has this or a newer version, or if an own write has deleted
   * the object.
   */
  wrote(object: T, stored: T | undefined): void {
    const { resourceVersion } = object.metadata;
    if (stored !== undefined && !isNewer(resourceVersion, stored.metadata.resourceVersion)) return;
    const known = this.get(object.metadata);
    if (known !== undefined && known.resourceVersion !== '' && !isNewer(resourceVersion, known.resourceVersion)) return;
    if (known?.type === 'deleted' && known.uid === object.metadata.uid) return;
    this.#add(formatKey(object.metadata), { type: 'written', object, resourceVersion });
  }

  /**
   * Adds a deletion of the object that reads return for this key. Ignores the deletion if there is no such object, or if the object has
   * another uid than the deletion.
   */
  deleted(key: ObjectKey, { uid, resourceVersion = '' }: Deletion, stored: T | undefined): void {
    const known = this.get(key);
    const current = known?.type === 'written' ? known.object : stored;
    if (current === undefined || (uid !== undefined && uid !== current.metadata.uid)) return;
    this.#add(formatKey(key), { type: 'deleted', key, uid: current.metadata.uid, resourceVersion });
  }

  /** Removes the writes for which the function returns true. */
  forget(isForgotten: (write: OwnWrite<T>) => boolean): void {
    for (const [text, write] of this.#writes) if (isForgotten(write)) this.#writes.delete(text);
  }

  /** Removes the write of this key if a change that the watch delivered makes it obsolete. `now` is the stored object after the change. */
  saw(key: ObjectKey, now: T | undefined): void {
    const known = this.get(key);
    if (known === undefined) return;
    const isOver =
      known.type === 'deleted'
        ? now === undefined || now.metadata.uid !== known.uid
        : now !== undefined && !isNewer(known.resourceVersion, now.metadata.resourceVersion);
    if (isOver) this.#writes.delete(formatKey(key));
  }

  /**
   * Removes the writes for which `isPast` returns true, because all watches that will deliver the write have reached its version. Calls
   * `isPast` only for writes whose version a watch has reached. Keeps writes without a version.
   */
  caughtUp(isReached: (resourceVersion: string) => boolean, isPast: (write: OwnWrite<T>) => boolean): void {
    let reached = 0;
    const kept: OwnWrite<T>[] = [];
    for (const write of this.#byVersion) {
      if (!isReached(write.resourceVersion)) break;
      reached++;
      const key = keyOf(write);
      if (this.#writes.get(key) !== write) continue;
      if (isPast(write)) this.#writes.delete(key);
      else kept.push(write);
    }
    const removed = reached - kept.length;
    for (const [at, write] of kept.entries()) this.#byVersion[removed + at] = write;
    this.#byVersion.splice(0, removed);
  }

  /**
   * Removes deletions without a version after a list has replaced the store for the covered namespaces. Keeps a deletion if the store still
   * contains the deleted object.
   */
  listed(stored: (key: ObjectKey) => T | undefined, covers: (namespace: string | undefined) => boolean): void {
    for (const [text, write] of this.#writes) {
      if (write.type !== 'deleted' || write.resourceVersion !== '' || !covers(write.key.namespace)) continue;
      if (stored(write.key)?.metadata.uid !== write.uid) this.#writes.delete(text);
    }
  }

  /** Adds a write. Writes arrive almost in the order of their versions, so that the search from the end is short. */
  #add(text: string, write: OwnWrite<T>): void {
    this.#writes.set(text, write);
    const { resourceVersion } = write;
    if (resourceVersion === '') return;
    let at = this.#byVersion.length;
    while (at > 0 && isNewer(this.#byVersion[at - 1]?.resourceVersion ?? '', resourceVersion)) at--;
    this.#byVersion.splice(at, 0, write);
  }
}

function keyOf<T extends KubeObject>(write: OwnWrite<T>): string {
  return formatKey(write.type === 'written' ? write.object.metadata : write.key);
}
/** Returns whether version `a` is newer than version `b`. Returns false if the versions cannot be compared. */
export function isNewer(a: string, b: string): boolean {
  if (a === b) return false;
  try {
    return compareResourceVersions(a, b) > 0;
  } catch {
    return false;
  }
}
