import type { EventSink, ReportedEvent } from './event-sink.js';
import type { EventTransport } from './event-transport.js';

/** Writes events with the core v1 API. Each event contains its count, and the times of its first and its latest occurrence. */
export class CountingSink implements EventSink {
  readonly #transport: () => Promise<EventTransport>;

  constructor(transport: () => Promise<EventTransport>) {
    this.#transport = transport;
  }

  async create(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    const { name, namespace, annotations, related, reason, reportingController, reportingInstance } = event;
    const host = reportingInstance.slice(reportingController.length + 1);
    const transport = await this.#transport();
    await transport.request<unknown>({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/events`,
      body: {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace, ...(annotations && { annotations }) },
        involvedObject: event.regarding,
        ...(related && { related }),
        type: event.type,
        reason,
        action: event.action,
        message: event.note,
        source: { component: reportingController, ...(host && { host }) },
        reportingComponent: reportingController,
        reportingInstance,
        firstTimestamp: seconds(event.firstObserved),
        ...countOf(event),
      },
      signal,
      attempted: `record the event ${reason}`,
    });
  }

  async update(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    const { name, namespace, reason, note } = event;
    const transport = await this.#transport();
    await transport.request<unknown>({
      method: 'PATCH',
      path: `/api/v1/namespaces/${namespace}/events/${name}`,
      body: { ...countOf(event), message: note },
      contentType: 'application/merge-patch+json',
      signal,
      attempted: `count the event ${reason}`,
    });
  }
}

function countOf({ count, lastObserved }: ReportedEvent): object {
  return { count, lastTimestamp: seconds(lastObserved) };
}
function seconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
