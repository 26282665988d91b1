import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import { type Counting, EventCorrelator } from './event-correlator.js';
import { EventSender } from './event-sender.js';
import type { EventSink } from './event-sink.js';
import type { EventStats } from './event-stats.js';
import type { Occurrence } from './occurrence.js';

/** What a pipeline works with. */
export interface EventPipelineOptions {
  readonly sink: EventSink;
  readonly counting: Counting;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Numbers from 0 up to, not including, 1, for waits. @default Math.random */
  readonly random?: () => number;
}

/** The way of events to one sink. What it remembers is its own, so no sink is held up by another, or told by what another knows. */
export class EventPipeline {
  readonly #sender: EventSender;
  readonly #correlator: EventCorrelator;
  #recorded = 0;

  constructor(options: EventPipelineOptions) {
    const sender = new EventSender(options);
    this.#sender = sender;
    this.#correlator = new EventCorrelator({ ...options, send: (event) => sender.send(event) });
  }

  record(occurrence: Occurrence): void {
    this.#recorded++;
    this.#correlator.observe(occurrence);
  }
  stats(): EventStats {
    return { recorded: this.#recorded, silenced: this.#correlator.silenced, ...this.#sender.stats() };
  }
  /** Says the counts that are not known yet, until the signal is aborted; nothing is said after. */
  close(signal: AbortSignal): Promise<void> {
    this.#correlator.flush();
    return this.#sender.close(signal);
  }
}
