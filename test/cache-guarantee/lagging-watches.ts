import type { FaultPlan } from '@kubewright/apiserver';
import { RandomValues } from './random-values.js';

/** The possible maximum lags of events in milliseconds. Each watch draws one of these values with equal probability. */
const LAGS_MS = [0, 0, 2, 8] as const;
/** Share of events that a lagging watch delays. A delayed event also delays all later events of the watch. */
const LATE = 0.4;

/** Faults that keep two watches of one kind at different points in time: each watch has its own lag, and some watches break. */
export class LaggingWatches implements FaultPlan {
  readonly #seed: string;
  #isOver = false;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Ends the faults: from now on, delays no request and no event, and interrupts no watch. */
  end(): void {
    this.#isOver = true;
  }

  onRequest({ verb, resource, ordinal }: Parameters<NonNullable<FaultPlan['onRequest']>>[0]) {
    if (this.#isOver || !['list', 'watch', 'get'].includes(verb)) return undefined;
    const random = new RandomValues(`${this.#seed}/${verb}/${resource}/${ordinal}`);
    return random.chance(0.2) ? { kind: 'delay' as const, ms: 1 + random.below(6) } : undefined;
  }

  onWatchEvent({ resource, watch, ordinal }: Parameters<NonNullable<FaultPlan['onWatchEvent']>>[0]) {
    if (this.#isOver) return undefined;
    const event = new RandomValues(`${this.#seed}/${resource}/${watch}/${ordinal}`);
    if (event.chance(0.03)) {
      return event.oneOf([{ kind: 'cut', midEvent: true }, { kind: 'expire' }, { kind: 'repeat' }] as const);
    }
    const longest = new RandomValues(`${this.#seed}/lag/${resource}/${watch}`).oneOf(LAGS_MS);
    if (longest === 0 || !event.chance(LATE)) return undefined;
    return { kind: 'delay' as const, ms: 1 + event.below(longest) };
  }
}
