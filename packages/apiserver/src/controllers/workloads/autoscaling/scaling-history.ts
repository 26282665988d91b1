/** A number of replicas, and the time at which it was recommended, added or deleted. */
interface Entry {
  readonly replicas: number;
  readonly atMs: number;
}

/**
 * The recent recommendations and changes of the replicas of one autoscaler. As in kube-controller-manager, a new entry replaces the last
 * entry that is too old to count. So the history does not grow without bounds.
 */
export class ScalingHistory {
  readonly #recommendations: Entry[] = [];
  readonly #added: Entry[] = [];
  readonly #removed: Entry[] = [];

  /** Adds the current replicas as the first recommendation. Does nothing if there is a recommendation. */
  begin(replicas: number, atMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ replicas, atMs });
  }

  /** Returns the recommendations after a time. */
  recommendedAfter(sinceMs: number): readonly number[] {
    return this.#recommendations.filter(({ atMs }) => atMs > sinceMs).map(({ replicas }) => replicas);
  }

  /** Adds a recommendation. Recommendations before `oldMs` no longer count. */
  recommend(replicas: number, { atMs, oldMs }: { readonly atMs: number; readonly oldMs: number }): void {
    keep(this.#recommendations, { replicas, atMs }, oldMs);
  }

  /** Adds a change of the replicas. Changes before `oldMs` no longer count. */
  changed(difference: number, { atMs, oldMs }: { readonly atMs: number; readonly oldMs: number }): void {
    keep(difference > 0 ? this.#added : this.#removed, { replicas: Math.abs(difference), atMs }, oldMs);
  }

  /** Returns the replicas that the autoscaler has added after a time, minus the replicas that it has removed. */
  changeAfter(sinceMs: number): number {
    const sum = (entries: readonly Entry[]): number =>
      entries.reduce((total, { replicas, atMs }) => total + (atMs > sinceMs ? replicas : 0), 0);
    return sum(this.#added) - sum(this.#removed);
  }
}

function keep(entries: Entry[], entry: Entry, oldMs: number): void {
  const old = entries.findLastIndex(({ atMs }) => atMs < oldMs);
  if (old < 0) entries.push(entry);
  else entries[old] = entry;
}
