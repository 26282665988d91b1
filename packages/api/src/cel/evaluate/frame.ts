import { CHECK_INTERVAL, TimeLimit } from '../../schema/time-limit.js';
import { CostExceeded } from '../values/cel-error.js';
import type { CelValue } from '../values/cel-value.js';

/** The cost limit and the time limit of one evaluation. */
export interface EvaluationLimits {
  /** The cost limit. @default 1,000,000 */
  readonly cost?: number;
  /**
   * A monotonic clock in milliseconds. If set, the evaluation is brief: it throws TakesLong after more than 30 ms, and before a call that
   * is expected to take more than 10 ms.
   */
  readonly nowMs?: (() => number) | undefined;
}

/** The state of one evaluation: the values of the variables and the accumulated cost. */
export class Frame {
  readonly slots: CelValue[];
  /** Whether calls must announce their work. */
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

  /** The cost of the evaluation so far. */
  get cost(): number {
    return this.#cost;
  }

  /** The cost plus the announced work so far. The sum indicates the duration of the evaluation. */
  get effort(): number {
    return this.#cost + this.#announced;
  }

  /** Adds a cost. Throws CostExceeded if the total exceeds the limit, and TakesLong if a brief evaluation takes too long. */
  charge(cost: number): void {
    this.#cost += cost;
    if (this.#cost > this.#checkpoint) this.#pass();
  }

  /**
   * Announces the work of a call in a brief evaluation, in units of about 30 ns. Calls announce their work because the cost of many calls
   * does not indicate their duration.
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

/** Evaluates an expression or a subexpression. */
export type Evaluate = (frame: Frame) => CelValue;

/** A compiled expression or subexpression. `constant` is the value of the expression if the value is known at compile time. */
export interface Plan {
  readonly run: Evaluate;
  readonly constant?: CelValue;
}
