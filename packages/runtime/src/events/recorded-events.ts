import type { EventSink } from './event-sink.js';

/** The options for recording events. */
export interface RecordedEventsOptions {
  /**
   * The API with which events are written. With 'events.k8s.io/v1', a repeated event contains a series. With 'v1', the older core API, each
   * event contains its count. Both APIs return the same objects. @default 'events.k8s.io/v1'
   */
  readonly api?: 'events.k8s.io/v1' | 'v1';
  /** Further destinations of events, in addition to the API server. Each sink combines and counts events separately. @default none */
  readonly sinks?: readonly EventSink[];
}
