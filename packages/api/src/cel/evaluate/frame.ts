import { CostExceeded } from '../values/cel-error.js';
import type { CelValue } from '../values/cel-value.js';

/** The state of one evaluation: the values of the variables and what it has cost. */
export class Frame {
  readonly slots: CelValue[];
  readonly #limit: number;
  #cost = 0;

  constructor(slots: CelValue[], limit: number) {
    this.slots = slots;
    this.#limit = limit;
  }

  /** What the evaluation has cost so far. */
  get cost(): number {
    return this.#cost;
  }

  /** Adds a cost. Throws CostExceeded once there is too much of it. */
  charge(cost: number): void {
    this.#cost += cost;
    if (this.#cost > this.#limit) throw new CostExceeded();
  }
}

/** Computes a part of an expression. */
export type Evaluate = (frame: Frame) => CelValue;

/** A part of an expression that is ready to be computed; a constant needs no computing. */
export interface Plan {
  readonly run: Evaluate;
  readonly constant?: CelValue;
}
