import type { Clock } from '@kubewright/api/clock';
import type { Logger } from '../log/logger.js';
import { type Counting, EventCorrelator } from './event-correlator.js';
import { EventSender } from './event-sender.js';
import type { EventSink } from './event-sink.js';
import type { EventStats } from './event-stats.js';
import type { Occurrence } from './occurrence.js';

/** The dependencies of an `EventPipeline`. */
export interface EventPipelineOptions {
  readonly sink: EventSink;
  readonly counting: Counting;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns random numbers from 0 (inclusive) to 1 (exclusive), for delays. @default the random numbers of the clock */
  readonly random?: () => number;
}

/**
 * Combines events and sends them to one sink. Each sink has its own pipeline, so that a slow or failing sink does not affect other sinks.
 */
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
  /** Sends the remaining counts until the signal is aborted. Events that are recorded later are not sent. */
  close(signal: AbortSignal): Promise<void> {
    this.#correlator.flush();
    return this.#sender.close(signal);
  }
}
