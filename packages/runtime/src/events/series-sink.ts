import { microTime } from '@kubewright/api/clock';
import type { EventSink, ReportedEvent } from './event-sink.js';
import type { EventTransport } from './event-transport.js';

/** Writes events with the API events.k8s.io/v1. Repeated occurrences update the series of the first event. */
export class SeriesSink implements EventSink {
  readonly #transport: () => Promise<EventTransport>;

  constructor(transport: () => Promise<EventTransport>) {
    this.#transport = transport;
  }

  async create(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    const { name, namespace, annotations, related, reason, count } = event;
    const transport = await this.#transport();
    await transport.request<unknown>({
      method: 'POST',
      path: `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
      body: {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name, namespace, ...(annotations && { annotations }) },
        eventTime: microTime(event.firstObserved),
        reportingController: event.reportingController,
        reportingInstance: event.reportingInstance,
        type: event.type,
        reason,
        action: event.action,
        note: event.note,
        regarding: event.regarding,
        ...(related && { related }),
        ...(count > 1 && { series: seriesOf(event) }),
      },
      signal,
      attempted: `record the event ${reason}`,
    });
  }

  async update(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    const { name, namespace, reason } = event;
    const transport = await this.#transport();
    await transport.request<unknown>({
      method: 'PATCH',
      path: `/apis/events.k8s.io/v1/namespaces/${namespace}/events/${name}`,
      body: { series: seriesOf(event) },
      contentType: 'application/merge-patch+json',
      signal,
      attempted: `count the event ${reason}`,
    });
  }
}

function seriesOf({ count, lastObserved }: ReportedEvent): object {
  return { count, lastObservedTime: microTime(lastObserved) };
}
