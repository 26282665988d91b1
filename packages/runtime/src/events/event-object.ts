/** Sends requests; a `Transport` does. */
export interface EventTransport {
  request<T>(options: {
    readonly method: 'POST' | 'PATCH';
    readonly path: string;
    readonly body: unknown;
    readonly contentType?: string;
    readonly signal?: AbortSignal;
    readonly attempted?: string;
  }): Promise<T>;
}

/** An Event of events.k8s.io/v1, as it is sent. */
export interface EventObject {
  readonly apiVersion: 'events.k8s.io/v1';
  readonly kind: 'Event';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly eventTime: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
}
/** Which object an Event is about; without its version, so that equal events stay equal when the object changes. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}
/** How often an Event happened. */
export interface EventSeries {
  readonly count: number;
  readonly lastObservedTime: string;
}
