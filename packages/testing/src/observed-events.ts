import { AsyncLocalStorage } from 'node:async_hooks';
import type { KubeObject } from '@kubewright/api';
import { type EventOptions, EventRecorder } from '@kubewright/runtime';

/** An event that a reconcile recorded. */
export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Forwards events to a recorder. `during` also collects the events of one call separately. */
export class ObservedEvents extends EventRecorder {
  readonly #recorder: EventRecorder;
  readonly #observed = new AsyncLocalStorage<RecordedEvent[]>();

  constructor(recorder: EventRecorder) {
    super();
    this.#recorder = recorder;
  }

  override normal(object: KubeObject, reason: string, message: string, options?: EventOptions): void {
    this.#observed.getStore()?.push({ type: 'Normal', reason, message });
    this.#recorder.normal(object, reason, message, options);
  }
  override warning(object: KubeObject, reason: string, message: string, options?: EventOptions): void {
    this.#observed.getStore()?.push({ type: 'Warning', reason, message });
    this.#recorder.warning(object, reason, message, options);
  }

  /** Runs `work`, and appends the events that `work` records to the list `events`. Returns the result of `work`. */
  during<R>(events: RecordedEvent[], work: () => R): R {
    return this.#observed.run(events, work);
  }
}
