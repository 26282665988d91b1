import type { FaultPlan } from '@kubewright/apiserver';
import { Drawn } from './drawn.js';

/** The longest lag of an event, in milliseconds, by watch; each as probable as the others. */
const LAGS_MS = [0, 0, 2, 8] as const;
/** How many of the events of a lagging watch are late. A late event holds back those behind it. */
const LATE = 0.4;

/** Faults under which two watches of one kind never agree on the time: each has a lag of its own, and some break. */
export class LaggingWatches implements FaultPlan {
  readonly #seed: string;
  #isOver = false;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** From now on nothing is late and nothing breaks. */
  end(): void {
    this.#isOver = true;
  }

  onRequest({ verb, resource, ordinal }: Parameters<NonNullable<FaultPlan['onRequest']>>[0]) {
    if (this.#isOver || !['list', 'watch', 'get'].includes(verb)) return undefined;
    const drawn = new Drawn(`${this.#seed}/${verb}/${resource}/${ordinal}`);
    return drawn.chance(0.2) ? { kind: 'delay' as const, ms: 1 + drawn.below(6) } : undefined;
  }

  onWatchEvent({ resource, watch, ordinal }: Parameters<NonNullable<FaultPlan['onWatchEvent']>>[0]) {
    if (this.#isOver) return undefined;
    const event = new Drawn(`${this.#seed}/${resource}/${watch}/${ordinal}`);
    if (event.chance(0.03)) {
      return event.oneOf([{ kind: 'cut', midEvent: true }, { kind: 'expire' }, { kind: 'repeat' }] as const);
    }
    const longest = new Drawn(`${this.#seed}/lag/${resource}/${watch}`).oneOf(LAGS_MS);
    if (longest === 0 || !event.chance(LATE)) return undefined;
    return { kind: 'delay' as const, ms: 1 + event.below(longest) };
  }
}
