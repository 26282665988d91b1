import type { EventSink } from './event-sink.js';

/** How events are recorded. */
export interface RecordedEventsOptions {
  /**
   * By which API: 'events.k8s.io/v1', where what happens again is a series of the first, or 'v1', the older one of the core, where each
   * event carries its count. Both are the same objects to who reads them. @default 'events.k8s.io/v1'
   */
  readonly api?: 'events.k8s.io/v1' | 'v1';
  /** Where events go besides the API server, such as a log; each counts and combines on its own. @default nowhere */
  readonly sinks?: readonly EventSink[];
}
