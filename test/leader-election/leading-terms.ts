import type { Report } from './report.js';

/** The way in which the term of a leader ended. */
export type Ending = 'stopped' | 'killed' | 'partitioned' | 'paused' | 'lost';

/** A period in which a process considered itself the leader. */
export interface Term {
  readonly identity: string;
  readonly fromMs: number;
  /** Time of the last known action, or of the report that the process stopped. */
  readonly lastActMs: number;
  readonly stoppedMs: number | undefined;
  /**
   * Whether the process stopped because it had lost the lease. The process does no leader-only work after the loss, even if it reports the
   * loss late.
   */
  readonly wasLost: boolean;
}

/** The terms of the processes that compete for one Lease, derived from their reports. */
export class LeadingTerms {
  readonly #terms = new Map<string, Term>();
  readonly #waiting = new Set<() => void>();
  readonly #endings = new Map<string, Ending>();

  readonly note = ({ what, identity, atMs }: Report): void => {
    const begun = { identity, fromMs: atMs, lastActMs: atMs, stoppedMs: undefined, wasLost: false };
    const term = this.#terms.get(identity) ?? begun;
    const hasStopped = what === 'stop' || what === 'lost';
    this.#terms.set(
      identity,
      hasStopped
        ? { ...term, stoppedMs: atMs, wasLost: what === 'lost' }
        : { ...term, lastActMs: Math.max(term.lastActMs, atMs) },
    );
    for (const check of this.#waiting) check();
  };

  /** All terms in the order in which they began. */
  get all(): readonly Term[] {
    return [...this.#terms.values()].toSorted((a, b) => a.fromMs - b.fromMs);
  }
  /** Records how the test ended a term. */
  endedBy(term: Term, ending: Ending): void {
    this.#endings.set(term.identity, ending);
  }

  /** Resolves with the latest term when this term is the desired term. */
  until(desired: (latest: Term) => boolean): Promise<Term> {
    return new Promise((resolve) => {
      const check = (): void => {
        const latest = this.all.at(-1);
        if (latest === undefined || !desired(latest)) return;
        this.#waiting.delete(check);
        resolve(latest);
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Describes terms that overlap; empty if there are none. The last action of a leader must happen before the next term begins. */
  overlaps(): readonly string[] {
    const { all } = this;
    return all.flatMap((term, at) => {
      const next = all[at + 1];
      if (next === undefined) return [];
      const endMs = this.#endMsOf(term);
      if (endMs < next.fromMs) return [];
      return [`${term.identity} led until ${endMs}, and ${next.identity} from ${next.fromMs}`];
    });
  }

  /** Describes the times without a leader, one line for each type of ending and pair of leaders. */
  handovers(kindOf: (identity: string) => string): readonly string[] {
    const gaps = new Map<string, number[]>();
    const { all } = this;
    for (const [at, term] of all.entries()) {
      const next = all[at + 1];
      if (next === undefined) continue;
      const ending = this.#endings.get(term.identity) ?? 'lost';
      const name = `${ending}, ${kindOf(term.identity)} → ${kindOf(next.identity)}`;
      const gapMs = next.fromMs - this.#endMsOf(term);
      gaps.set(name, [...(gaps.get(name) ?? []), gapMs]);
    }
    return [...gaps].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, values]) => `${name}: ${summary(values)}`);
  }

  /** Returns the end of a term. A process that was paused or lost the Lease may report the end late, so its last action counts. */
  #endMsOf(term: Term): number {
    const isReportedLate = term.wasLost || this.#endings.get(term.identity) === 'paused';
    return isReportedLate ? term.lastActMs : Math.max(term.lastActMs, term.stoppedMs ?? 0);
  }
}

function summary(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  return `${values.length} times, at least ${at(0)}, median ${at(0.5)}, at most ${at(1)}`;
}
