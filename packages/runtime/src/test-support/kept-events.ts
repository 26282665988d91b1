import type { EventSink, ReportedEvent } from '../events/event-sink.js';

/** A call of the sink: the method and the event. */
export interface KeptWrite {
  readonly how: 'create' | 'update';
  readonly event: ReportedEvent;
}

/** An event sink for tests that records its calls. The test sets the results of the calls. */
export class KeptEvents implements EventSink {
  readonly writes: KeptWrite[] = [];
  /**
   * Called for each write. `nth` is the number of the write, starting at 1. If the function throws or rejects, the write fails with this
   * error.
   */
  answer: (write: KeptWrite, nth: number, signal: AbortSignal) => void | Promise<void> = () => undefined;

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

  async #write(write: KeptWrite, signal: AbortSignal): Promise<void> {
    this.writes.push(write);
    await this.answer(write, this.writes.length, signal);
  }
}
