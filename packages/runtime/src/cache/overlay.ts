import type { KubeObject, ObjectKey } from '@kubewright/api';
import { compareResourceVersions } from '@kubewright/api/resource-version';
import { formatKey } from './object-key.js';

/** A write of our own that the watch has not brought yet. */
export type OwnWrite<T> =
  /** Reads give this object. */
  | { readonly type: 'written'; readonly object: T; readonly resourceVersion: string }
  /** Reads give nothing, as long as the store has this very object. The version is empty where the server did not tell it. */
  | {
      readonly type: 'deleted';
      readonly key: ObjectKey;
      readonly uid: string | undefined;
      readonly resourceVersion: string;
    };

/** What is known of a deletion beside the key. */
export interface Deletion {
  /** Of what was deleted. @default that of what is read under the key */
  readonly uid?: string | undefined;
  /** That of the deletion. @default unknown */
  readonly resourceVersion?: string;
}

/**
 * Own writes on top of a store, so that they are read at once. Each goes as soon as the watch has come as far, so that reads never
 * go back in time and nothing is remembered for long.
 */
export class Overlay<T extends KubeObject> {
  readonly #writes = new Map<string, OwnWrite<T>>();

  get isEmpty(): boolean {
    return this.#writes.size === 0;
  }

  /** The write that hides what the store has under the key. */
  get(key: ObjectKey): OwnWrite<T> | undefined {
    return this.#writes.get(formatKey(key));
  }

  values(): IterableIterator<OwnWrite<T>> {
    return this.#writes.values();
  }

  /** Notes a write, unless the store or a later write of our own is as new. */
  wrote(object: T, stored: T | undefined): void {
    const { resourceVersion } = object.metadata;
    if (stored !== undefined && !isNewer(resourceVersion, stored.metadata.resourceVersion)) return;
    const known = this.get(object.metadata);
    if (known !== undefined && known.resourceVersion !== '' && !isNewer(resourceVersion, known.resourceVersion)) return;
    if (known?.type === 'deleted' && known.uid === object.metadata.uid) return;
    this.#writes.set(formatKey(object.metadata), { type: 'written', object, resourceVersion });
  }

  /** Notes a deletion of what is read under the key now, unless it was that of another object. */
  deleted(key: ObjectKey, { uid, resourceVersion = '' }: Deletion, stored: T | undefined): void {
    const known = this.get(key);
    const current = known?.type === 'written' ? known.object : stored;
    if (current === undefined || (uid !== undefined && uid !== current.metadata.uid)) return;
    this.#writes.set(formatKey(key), { type: 'deleted', key, uid: current.metadata.uid, resourceVersion });
  }

  /** Forgets the writes that the test is true of. */
  forget(isForgotten: (write: OwnWrite<T>) => boolean): void {
    for (const [text, write] of this.#writes) if (isForgotten(write)) this.#writes.delete(text);
  }

  /** A watch has brought a change of this key; `now` is what the store has. */
  saw(key: ObjectKey, now: T | undefined): void {
    const known = this.get(key);
    if (known === undefined) return;
    const isOver =
      known.type === 'deleted'
        ? now === undefined || now.metadata.uid !== known.uid
        : now !== undefined && !isNewer(known.resourceVersion, now.metadata.resourceVersion);
    if (isOver) this.#writes.delete(formatKey(key));
  }

  /** Forgets the writes of a known version that the watches have passed. */
  caughtUp(isPast: (write: OwnWrite<T>) => boolean): void {
    this.forget((write) => write.resourceVersion !== '' && isPast(write));
  }

  /** A list of such namespaces has replaced the store: a deletion without a version is in it, unless the store still has the very object. */
  listed(stored: (key: ObjectKey) => T | undefined, covers: (namespace: string | undefined) => boolean): void {
    for (const [text, write] of this.#writes) {
      if (write.type !== 'deleted' || write.resourceVersion !== '' || !covers(write.key.namespace)) continue;
      if (stored(write.key)?.metadata.uid !== write.uid) this.#writes.delete(text);
    }
  }
}

/** Whether a version is newer than another; versions that cannot be compared are not. */
export function isNewer(a: string, b: string): boolean {
  if (a === b) return false;
  try {
    return compareResourceVersions(a, b) > 0;
  } catch {
    return false;
  }
}
