/** The keys of the Pods to schedule. Pods with a higher priority come first, and then Pods that were added earlier. */
export class SchedulingQueue {
  readonly #byPriority = new Map<number, Set<string>>();
  readonly #priorities = new Map<string, number>();

  /** Adds a Pod. Moves a queued Pod if its priority has changed. Does nothing if the Pod is queued with this priority. */
  add(key: string, priority: number): void {
    if (this.#priorities.get(key) === priority) return;
    this.delete(key);
    this.#priorities.set(key, priority);
    const keys = this.#byPriority.get(priority) ?? new Set();
    this.#byPriority.set(priority, keys.add(key));
  }

  delete(key: string): void {
    const priority = this.#priorities.get(key);
    if (priority === undefined) return;
    this.#priorities.delete(key);
    const keys = this.#byPriority.get(priority);
    keys?.delete(key);
    if (keys?.size === 0) this.#byPriority.delete(priority);
  }

  /** Removes and returns the first key, or undefined if the queue is empty. */
  take(): string | undefined {
    let highest: number | undefined;
    for (const priority of this.#byPriority.keys()) if (highest === undefined || priority > highest) highest = priority;
    const [key] = highest === undefined ? [] : (this.#byPriority.get(highest) ?? []);
    if (key !== undefined) this.delete(key);
    return key;
  }
}
