import type { Clock } from '@kubewright/api/clock';
import { AggregatingEventRecorder } from '../events/aggregating-event-recorder.js';
import { EventSender } from '../events/event-sender.js';
import type { EventTransport } from '../events/event-object.js';
import type { Logger } from '../log/logger.js';
import type { Metrics } from '../metrics/metrics.js';

/** At the end events may take this long to be sent. */
const FLUSH_MS = 2000;

/** The event recorders of a manager or cluster, one for each who records; they share what sends. */
export class EventRecorders {
  readonly #clock: Clock;
  readonly #sender: EventSender;
  readonly #recorders = new Map<string, AggregatingEventRecorder>();

  constructor(options: {
    readonly transport: () => Promise<EventTransport>;
    readonly clock: Clock;
    readonly logger: Logger;
    readonly metrics?: Metrics;
  }) {
    this.#clock = options.clock;
    this.#sender = new EventSender({ ...options, metrics: options.metrics?.events() });
  }
  /** The recorder of a controller, by its name. */
  of(reportingController: string): AggregatingEventRecorder {
    const known = this.#recorders.get(reportingController);
    if (known !== undefined) return known;
    const made = new AggregatingEventRecorder({ sender: this.#sender, clock: this.#clock, reportingController });
    this.#recorders.set(reportingController, made);
    return made;
  }
  /** Sends what was not sent yet, for a short time. */
  async close(): Promise<void> {
    for (const recorder of this.#recorders.values()) recorder.flush();
    const limit = new AbortController();
    const timer = this.#clock.schedule(FLUSH_MS, () => limit.abort());
    await this.#sender.close(limit.signal);
    timer.cancel();
  }
}
