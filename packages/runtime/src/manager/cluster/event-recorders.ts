import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
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

/** At the end events may take this long to be sent. */
const FLUSH_MS = 2000;

/** What event recorders work with. */
export interface EventRecordersOptions extends RecordedEventsOptions {
  readonly transport: () => Promise<EventTransport>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where it is counted what became of events. @default nowhere */
  readonly metrics?: Metrics;
}

/** The event recorders of a manager or cluster, one for each who records; they share what counts and sends. */
export class EventRecorders {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #pipelines: readonly EventPipeline[];
  readonly #recorders = new Map<string, EventRecorder>();
  readonly #endMetrics: (() => void) | undefined;

  /** Throws INVALID_EVENT_OPTIONS for an API that there is not. */
  constructor(options: EventRecordersOptions) {
    const { transport, clock, logger, api = 'events.k8s.io/v1', sinks = [] } = options;
    this.#clock = clock;
    this.#logger = logger;
    if (api !== 'events.k8s.io/v1' && api !== 'v1') {
      const message = `events cannot be recorded by the API '${String(api)}': choose 'events.k8s.io/v1' or 'v1'`;
      throw new KubewrightError('INVALID_EVENT_OPTIONS', message);
    }
    const isSeries = api === 'events.k8s.io/v1';
    const server = isSeries ? new SeriesSink(transport) : new CountingSink(transport);
    const counting = isSeries ? 'series' : 'each';
    this.#pipelines = [server, ...sinks].map((sink) => new EventPipeline({ sink, counting, clock, logger }));
    this.#endMetrics = options.metrics?.followEvents(() => this.stats());
  }
  /** The recorder of a controller, by its name. */
  of(reportingController: string): EventRecorder {
    const known = this.#recorders.get(reportingController);
    if (known !== undefined) return known;
    const using = { pipelines: this.#pipelines, clock: this.#clock, logger: this.#logger };
    const made = new ReportingEventRecorder({ ...using, reportingController });
    this.#recorders.set(reportingController, made);
    return made;
  }
  /** What became of the events that were recorded, of all sinks together. */
  stats(): EventStats {
    return this.#pipelines.map((pipeline) => pipeline.stats()).reduce(addedStats, NO_EVENTS);
  }
  /** Sends what was not sent yet, for a short time; what is recorded after is dropped. */
  async close(): Promise<void> {
    const limit = new AbortController();
    const timer = this.#clock.schedule(FLUSH_MS, () => limit.abort());
    await Promise.all(this.#pipelines.map((pipeline) => pipeline.close(limit.signal)));
    timer.cancel();
    this.#endMetrics?.();
  }
}
