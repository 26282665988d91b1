import { createInterface } from 'node:readline';
import type { Json } from './json.js';
import { PROTOBUF, protobufEvents } from './protobuf-wire.js';
import type { WireAnswer } from './wire.js';

/** A watch event as received. */
export interface WatchedEvent {
  readonly type: string;
  readonly object: Json;
}

/** What a case does during a watch, and the events for which it waits. */
export interface WatchRequest {
  /** Runs when the server has started to respond. */
  readonly during?: () => Promise<unknown>;
  /** Whether the received events are all that the case waits for. */
  readonly until: (events: readonly WatchedEvent[]) => boolean;
  /** Whether bookmarks are also compared. @default false */
  readonly bookmarks?: boolean;
}

/** The events of one open watch. */
export class ContractWatch {
  readonly #answer: WireAnswer;
  readonly #bookmarks: boolean;

  constructor(answer: WireAnswer, bookmarks: boolean) {
    this.#answer = answer;
    this.#bookmarks = bookmarks;
  }

  /** Returns the events when `isDone` returns true or the stream has ended. */
  async until(isDone: WatchRequest['until']): Promise<readonly WatchedEvent[]> {
    const events: WatchedEvent[] = [];
    if (isDone(events)) return events;
    for await (const event of this.#events()) {
      if (event.type === 'BOOKMARK' && !this.#bookmarks) continue;
      events.push(event);
      if (isDone(events)) break;
    }
    return events;
  }

  async *#events(): AsyncGenerator<WatchedEvent> {
    const { body, headers } = this.#answer;
    if (headers['content-type']?.startsWith(PROTOBUF) === true) return yield* protobufEvents(body);
    for await (const line of createInterface({ input: body })) yield JSON.parse(line) as WatchedEvent;
  }

  close(): void {
    this.#answer.body.destroy();
  }
}
