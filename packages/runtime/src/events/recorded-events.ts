import type { EventSink } from './event-sink.js';

/** The options for recording events. */
export interface RecordedEventsOptions {
  /**
   * The API of the events. With 'events.k8s.io/v1', repeated occurrences form a series. With 'v1', the older core API, each event contains
   * its count. Both APIs return the same objects. @default 'events.k8s.io/v1'
   */
  readonly api?: 'events.k8s.io/v1' | 'v1';
  /** Destinations of events in addition to the API server, such as a log. Each sink counts and combines events separately. @default none */
  readonly sinks?: readonly EventSink[];
}
