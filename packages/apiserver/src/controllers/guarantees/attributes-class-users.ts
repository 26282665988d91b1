import { attributesClassesOf } from '../../registry/strategies/rules/attributes-classes-of.js';
import { referenceText } from '../objects/object-reference.js';
import type { FeedEvent } from '../work/resource-feed.js';

/** Indexes PersistentVolumeClaims and PersistentVolumes by the VolumeAttributesClasses that these objects name. */
export class AttributesClassUsers {
  readonly #classesByUser = new Map<string, ReadonlySet<string>>();
  readonly #usersByClass = new Map<string, Set<string>>();

  /** Updates the index with a change of a claim or a volume. Returns the names of the classes that the object no longer names. */
  observe({ type, bucket, object }: FeedEvent): readonly string[] {
    const user = referenceText(bucket, object.metadata);
    const before = this.#classesByUser.get(user) ?? new Set();
    const after = new Set(type === 'DELETED' ? [] : attributesClassesOf(object));
    if (after.size > 0) this.#classesByUser.set(user, after);
    else this.#classesByUser.delete(user);
    for (const name of after) this.#add(name, user);
    const released = [...before].filter((name) => !after.has(name));
    for (const name of released) this.#remove(name, user);
    return released;
  }

  /** Whether a claim or a volume names the class. */
  isUsed(name: string): boolean {
    return this.#usersByClass.has(name);
  }

  #add(name: string, user: string): void {
    const users = this.#usersByClass.get(name);
    if (users === undefined) this.#usersByClass.set(name, new Set([user]));
    else users.add(user);
  }

  #remove(name: string, user: string): void {
    const users = this.#usersByClass.get(name);
    users?.delete(user);
    if (users?.size === 0) this.#usersByClass.delete(name);
  }
}
