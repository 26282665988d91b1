import type { EventSink, ReportedEvent } from '../events/event-sink.js';

/** What a sink was asked to make known. */
export interface KeptWrite {
  readonly how: 'create' | 'update';
  readonly event: ReportedEvent;
}

/** A sink for tests of this package that keeps what it is told; the test decides what is answered. */
export class KeptEvents implements EventSink {
  readonly writes: KeptWrite[] = [];
  /** Called for each write with its number, from 1 on: what it throws is the answer. It may wait. */
  answer: (write: KeptWrite, nth: number, signal: AbortSignal) => void | Promise<void> = () => undefined;

  create(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    return this.#write({ how: 'create', event }, signal);
  }
  update(event: ReportedEvent, signal: AbortSignal): Promise<void> {
    return this.#write({ how: 'update', event }, signal);
  }
  /** How, and how often it had happened by then. */
  get counts(): readonly (readonly [string, number])[] {
    return this.writes.map(({ how, event }) => [how, event.count]);
  }

  async #write(write: KeptWrite, signal: AbortSignal): Promise<void> {
    this.writes.push(write);
    await this.answer(write, this.writes.length, signal);
  }
}
