import type { Clock } from '@kubewright/api/clock';
import { KubewrightError, valueText } from '@kubewright/api/errors';
import { CountingSink } from '../../events/counting-sink.js';
import { EventPipeline } from '../../events/event-pipeline.js';
import type { EventRecorder } from '../../events/event-recorder.js';
import { addedStats, type EventStats, NO_EVENTS } from '../../events/event-stats.js';
import type { EventTransport } from '../../events/event-transport.js';
import type { RecordedEventsOptions } from '../../events/recorded-events.js';
import { ReportingEventRecorder } from '../../events/reporting-event-recorder.js';
import { SeriesSink } from '../../events/series-sink.js';
import type { Logger } from '../../log/logger.js';
import type { Metrics } from '../../metrics/metrics.js';

/** The time limit for sending the remaining events when the recorders are closed, in milliseconds. */
const FLUSH_MS = 2000;

/** The options of event recorders. */
export interface EventRecordersOptions extends RecordedEventsOptions {
  readonly transport: () => Promise<EventTransport>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Counts how many events were sent and dropped. @default none */
  readonly metrics?: Metrics;
}

/**
 * The event recorders of a manager or a cluster, with one recorder per reporting controller. All recorders use the same pipelines, which
 * combine and send events.
 */
export class EventRecorders {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #pipelines: readonly EventPipeline[];
  readonly #recorders = new Map<string, EventRecorder>();
  readonly #endMetrics: (() => void) | undefined;

  /** Creates the event pipelines. Throws INVALID_EVENT_OPTIONS for an unknown API. */
  constructor(options: EventRecordersOptions) {
    const { transport, clock, logger, api = 'events.k8s.io/v1', sinks = [] } = options;
    this.#clock = clock;
    this.#logger = logger;
    if (api !== 'events.k8s.io/v1' && api !== 'v1') {
      const message = `cannot record events with the API ${valueText(api)}: use 'events.k8s.io/v1' or 'v1'`;
      throw new KubewrightError('INVALID_EVENT_OPTIONS', message);
    }
    const isSeries = api === 'events.k8s.io/v1';
    const server = isSeries ? new SeriesSink(transport) : new CountingSink(transport);
    const counting = isSeries ? 'series' : 'each';
    this.#pipelines = [server, ...sinks].map((sink) => new EventPipeline({ sink, counting, clock, logger }));
    this.#endMetrics = options.metrics?.followEvents(() => this.stats());
  }
  /** Returns the recorder for events that the given controller reports. */
  of(reportingController: string): EventRecorder {
    const known = this.#recorders.get(reportingController);
    if (known !== undefined) return known;
    const using = { pipelines: this.#pipelines, clock: this.#clock, logger: this.#logger };
    const made = new ReportingEventRecorder({ ...using, reportingController });
    this.#recorders.set(reportingController, made);
    return made;
  }
  /** Returns the number of events by result, as the sum over all sinks. */
  stats(): EventStats {
    return this.#pipelines.map((pipeline) => pipeline.stats()).reduce(addedStats, NO_EVENTS);
  }
  /** Sends the remaining events, for up to `FLUSH_MS`. Events that are recorded afterwards are dropped. */
  async close(): Promise<void> {
    const limit = new AbortController();
    const timer = this.#clock.schedule(FLUSH_MS, () => limit.abort());
    await Promise.all(this.#pipelines.map((pipeline) => pipeline.close(limit.signal)));
    timer.cancel();
    this.#endMetrics?.();
  }
}
