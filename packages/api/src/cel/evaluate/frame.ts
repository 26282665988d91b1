import { CHECK_INTERVAL, TimeLimit } from '../../schema/time-limit.js';
import { CostExceeded } from '../values/cel-error.js';
import type { CelValue } from '../values/cel-value.js';

/** What one evaluation may cost and how long it may take. */
export interface EvaluationLimits {
  /** @default 1,000,000 */
  readonly cost?: number;
  /** A monotonic clock in milliseconds. If set, the evaluation is brief: after more than 30 ms, it throws TakesLong. */
  readonly nowMs?: (() => number) | undefined;
}

/** The state of one evaluation: the values of the variables and what it has cost. */
export class Frame {
  readonly slots: CelValue[];
  /** Whether calls must report their work. */
  readonly isBrief: boolean;
  readonly #time: TimeLimit | undefined;
  readonly #limit: number;
  #cost = 0;
  #checkpoint: number;
  #announced = 0;

  constructor(slots: CelValue[], { cost, nowMs }: EvaluationLimits & { readonly cost: number }) {
    this.slots = slots;
    this.isBrief = nowMs !== undefined;
    this.#time = nowMs === undefined ? undefined : new TimeLimit(nowMs);
    this.#limit = cost;
    this.#checkpoint = nowMs === undefined ? cost : Math.min(cost, CHECK_INTERVAL);
  }

  /** What the evaluation has cost so far. */
  get cost(): number {
    return this.#cost;
  }

  /** The cost and the announced work so far, which tell how long the evaluation has taken. */
  get effort(): number {
    return this.#cost + this.#announced;
  }

  /** Adds a cost. Throws CostExceeded once there is too much of it, and TakesLong if a brief evaluation takes too long. */
  charge(cost: number): void {
    this.#cost += cost;
    if (this.#cost > this.#checkpoint) this.#pass();
  }

  /**
   * Announces a call of a brief evaluation. The unit of work is about 30 ns; the cost of many calls is not in proportion to it.
   * @throws TakesLong if the call or the evaluation takes too long
   */
  announce(work: number): void {
    this.#time?.announce(work);
    this.#announced += work;
  }

  #pass(): void {
    if (this.#cost > this.#limit) throw new CostExceeded();
    this.#checkpoint = Math.min(this.#limit, this.#cost + CHECK_INTERVAL);
    this.#time?.check();
  }
}

/** Computes a part of an expression. */
export type Evaluate = (frame: Frame) => CelValue;

/** A part of an expression that is ready to be computed; a constant needs no computing. */
export interface Plan {
  readonly run: Evaluate;
  readonly constant?: CelValue;
}
