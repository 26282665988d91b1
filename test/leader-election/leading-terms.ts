import type { Report } from './report.js';

/** How a term came to its end. */
export type Ending = 'stopped' | 'killed' | 'partitioned' | 'paused' | 'lost';

/** A time in which somebody believed to be the leader. */
export interface Term {
  readonly identity: string;
  readonly fromMs: number;
  /** When it did something, or said that it stopped; the last that is known of it. */
  readonly lastActMs: number;
  readonly stoppedMs: number | undefined;
  /** Whether it stopped since it had lost the lease: it did nothing that only a leader may do from then on, whenever it was told so. */
  readonly wasLost: boolean;
}

/** What those that contend for one Lease have said, and what follows from it. */
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

  /** In the order in which they began. */
  get all(): readonly Term[] {
    return [...this.#terms.values()].toSorted((a, b) => a.fromMs - b.fromMs);
  }
  /** Says what was done to the leader. */
  endedBy(term: Term, ending: Ending): void {
    this.#endings.set(term.identity, ending);
  }

  /** The latest term, when it is as it is wanted. */
  until(wanted: (latest: Term) => boolean): Promise<Term> {
    return new Promise((resolve) => {
      const check = (): void => {
        const latest = this.all.at(-1);
        if (latest === undefined || !wanted(latest)) return;
        this.#waiting.delete(check);
        resolve(latest);
      };
      this.#waiting.add(check);
      check();
    });
  }

  /** Where two led at a time, in words; empty when nobody did. What a leader did last has to come before the next one led. */
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

  /** How long nobody led, by what ended the term and who came after whom; one line each. */
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

  /** One that was paused, or lost the lease, may have been told late, and says that it has stopped when it is told: what it did counts. */
  #endMsOf(term: Term): number {
    const isToldLate = term.wasLost || this.#endings.get(term.identity) === 'paused';
    return isToldLate ? term.lastActMs : Math.max(term.lastActMs, term.stoppedMs ?? 0);
  }
}

function summary(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  return `${values.length} times, least ${at(0)}, median ${at(0.5)}, most ${at(1)}`;
}
