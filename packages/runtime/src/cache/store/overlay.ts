import type { KubeObject, ObjectKey } from '@kubewright/api';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { formatKey } from './object-key.js';

/** An own write that the watch has not delivered yet. */
export type OwnWrite<T> =
  /** Reads return this object. */
  | { readonly type: 'written'; readonly object: T; readonly resourceVersion: string }
  /**
   * Reads do not return the stored object while the store contains the object with this uid. The version is empty if the server did not
   * return the version of the deletion.
   */
  | {
      readonly type: 'deleted';
      readonly key: ObjectKey;
      readonly uid: string | undefined;
      readonly resourceVersion: string;
    };

/** Details of a deletion, in addition to the key. */
export interface Deletion {
  /** The uid of the deleted object. @default the uid of the object that reads return for the key */
  readonly uid?: string | undefined;
  /** The version of the deletion. @default unknown */
  readonly resourceVersion?: string;
}

/**
 * Own writes on top of a store, so that reads return them immediately. The overlay removes each write as soon as the watch has caught up
 * with the write. Therefore, reads never return an older state than before, and the overlay stays small.
 */
export class Overlay<T extends KubeObject> {
  readonly #writes = new Map<string, OwnWrite<T>>();

  get isEmpty(): boolean {
    return this.#writes.size === 0;
  }

  /** Returns the write that hides the stored object of the key. */
  get(key: ObjectKey): OwnWrite<T> | undefined {
    return this.#writes.get(formatKey(key));
  }

  values(): IterableIterator<OwnWrite<T>> {
    return this.#writes.values();
  }

  /** Records a write, unless the store or a later own write is at least as new. */
  wrote(object: T, stored: T | undefined): void {
    const { resourceVersion } = object.metadata;
    if (stored !== undefined && !isNewer(resourceVersion, stored.metadata.resourceVersion)) return;
    const known = this.get(object.metadata);
    if (known !== undefined && known.resourceVersion !== '' && !isNewer(resourceVersion, known.resourceVersion)) return;
    if (known?.type === 'deleted' && known.uid === object.metadata.uid) return;
    this.#writes.set(formatKey(object.metadata), { type: 'written', object, resourceVersion });
  }

  /**
   * Records the deletion of the object that reads currently return for the key, unless the uid of the deletion belongs to another object.
   */
  deleted(key: ObjectKey, { uid, resourceVersion = '' }: Deletion, stored: T | undefined): void {
    const known = this.get(key);
    const current = known?.type === 'written' ? known.object : stored;
    if (current === undefined || (uid !== undefined && uid !== current.metadata.uid)) return;
    this.#writes.set(formatKey(key), { type: 'deleted', key, uid: current.metadata.uid, resourceVersion });
  }

  /** Removes the writes that pass the test. */
  forget(isForgotten: (write: OwnWrite<T>) => boolean): void {
    for (const [text, write] of this.#writes) if (isForgotten(write)) this.#writes.delete(text);
  }

  /** Records that a watch has delivered a change of this key. `now` is the stored object. */
  saw(key: ObjectKey, now: T | undefined): void {
    const known = this.get(key);
    if (known === undefined) return;
    const isOver =
      known.type === 'deleted'
        ? now === undefined || now.metadata.uid !== known.uid
        : now !== undefined && !isNewer(known.resourceVersion, now.metadata.resourceVersion);
    if (isOver) this.#writes.delete(formatKey(key));
  }

  /** Removes the writes with a known version that the watches have passed. */
  caughtUp(isPast: (write: OwnWrite<T>) => boolean): void {
    this.forget((write) => write.resourceVersion !== '' && isPast(write));
  }

  /**
   * Records that a list of the covered namespaces has replaced the store. Removes each deletion without a version, unless the store still
   * contains the deleted object.
   */
  listed(stored: (key: ObjectKey) => T | undefined, covers: (namespace: string | undefined) => boolean): void {
    for (const [text, write] of this.#writes) {
      if (write.type !== 'deleted' || write.resourceVersion !== '' || !covers(write.key.namespace)) continue;
      if (stored(write.key)?.metadata.uid !== write.uid) this.#writes.delete(text);
    }
  }
}

/** Returns whether a version is newer than another version. Returns false if the versions are not comparable. */
export function isNewer(a: string, b: string): boolean {
  if (a === b) return false;
  try {
    return compareResourceVersions(a, b) > 0;
  } catch {
    return false;
  }
}
