import type { EventSink, ReportedEvent } from '../events/event-sink.js';

/** A call of a sink. */
export interface KeptWrite {
  readonly how: 'create' | 'update';
  readonly event: ReportedEvent;
}

/** A sink for tests of this package that records its calls. The test sets the results. */
export class KeptEvents implements EventSink {
  readonly writes: KeptWrite[] = [];
  /**
   * Called for each write with its number, from 1. An error of the function is the result of the write. The function may be asynchronous.
   */
  answer: (write: KeptWrite, nth: number, signal: AbortSignal) => void | Promise<void> = () => undefined;

  create(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    return this.#write({ how: 'create', event }, signal);
  }
  update(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    return this.#write({ how: 'update', event }, signal);
  }
  /** The method of each write and the count of its event. */
  get counts(): readonly (readonly [string, number])[] {
    return this.writes.map(({ how, event }) => [how, event.count]);
  }

  async #write(write: KeptWrite, signal: AbortSignal): Promise<void> {
    this.writes.push(write);
    await this.answer(write, this.writes.length, signal);
  }
}
