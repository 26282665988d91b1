import type { EventSink, ReportedEvent } from '../events/event-sink.js';

/** A call of the sink: the method and the event. */
export interface RecordedWrite {
  readonly how: 'create' | 'update';
  readonly event: ReportedEvent;
}

/** An event sink for tests that records its calls. The test sets the results of the calls. */
export class RecordedEvents implements EventSink {
  readonly writes: RecordedWrite[] = [];
  /**
   * Called for each write. `nth` is the number of the write, starting at 1. If the function throws or rejects, the write fails with this
   * error.
   */
  answer: (write: RecordedWrite, nth: number, signal: AbortSignal) => void | Promise<void> = () => undefined;

  create(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    return this.#write({ how: 'create', event }, signal);
  }
  update(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    return this.#write({ how: 'update', event }, signal);
  }
  /** The method of each write, and the count of its event. */
  get counts(): readonly (readonly [string, number])[] {
    return this.writes.map(({ how, event }) => [how, event.count]);
  }

  async #write(write: RecordedWrite, signal: AbortSignal): Promise<void> {
    this.writes.push(write);
    await this.answer(write, this.writes.length, signal);
  }
}
