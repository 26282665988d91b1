interface Entry<V> {
  readonly key: string;
  value: V;
  older: Entry<V> | undefined;
  newer: Entry<V> | undefined;
}

/**
 * A map with a maximum size. If there are too many entries, removes the least recently used entry. All methods take constant time. A plain
 * Map is not sufficient, because finding the first key takes time proportional to the number of deleted keys before it.
 */
export class RecentEntries<V> implements Iterable<readonly [string, V]> {
  readonly #most: number;
  readonly #entries = new Map<string, Entry<V>>();
  #oldest: Entry<V> | undefined;
  #newest: Entry<V> | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }
  /** Returns the value of a key. Counts as a use of the entry. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#use(entry);
    return entry?.value;
  }
  /** Returns the value of a key. Does not count as a use of the entry. */
  peek(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }
  set(key: string, value: V): void {
    const known = this.#entries.get(key);
    const entry = known ?? { key, value, older: undefined, newer: undefined };
    entry.value = value;
    if (known === undefined) this.#entries.set(key, entry);
    this.#use(entry);
    if (this.#entries.size > this.#most && this.#oldest !== undefined) this.delete(this.#oldest.key);
  }
  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#unlink(entry);
  }
  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
    this.#newest = undefined;
  }
  /** Iterates from the least to the most recently used entry. The caller may delete the current entry during the iteration. */
  *[Symbol.iterator](): Iterator<readonly [string, V]> {
    for (let entry = this.#oldest; entry !== undefined; entry = entry.newer) yield [entry.key, entry.value];
  }

  /** Moves an entry to the end of the list of uses, or adds it there. */
  #use(entry: Entry<V>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest === undefined) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
  }
  #unlink(entry: Entry<V>): void {
    if (entry.older !== undefined) entry.older.newer = entry.newer;
    else if (this.#oldest === entry) this.#oldest = entry.newer;
    if (entry.newer !== undefined) entry.newer.older = entry.older;
    else if (this.#newest === entry) this.#newest = entry.older;
  }
}
