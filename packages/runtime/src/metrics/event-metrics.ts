import type { Families } from './families.js';
import type { Counter } from './series.js';

/** What is measured of Kubernetes events. All series are there, at 0, from its making. */
export class EventMetrics {
  readonly #sent: Counter;
  readonly #counted: Counter;
  readonly #dropped: Counter;

  constructor({ events }: Families) {
    this.#sent = events.of('sent');
    this.#counted = events.of('counted');
    this.#dropped = events.of('dropped');
  }

  /** The API server took an event, or the count of one. */
  sent(): void {
    this.#sent.inc();
  }
  /** An event happened again, and was counted with those before. */
  counted(): void {
    this.#counted.inc();
  }
  /** An event will never be sent: there are too many, or the API server does not take it. */
  dropped(): void {
    this.#dropped.inc();
  }
}
