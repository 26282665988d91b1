import { createInterface } from 'node:readline';
import type { Json } from './json.js';
import type { WireAnswer } from './wire.js';

/** An event of a watch, as it came. */
export interface WatchedEvent {
  readonly type: string;
  readonly object: Json;
}

/** What happens during a watch, and how long it is followed. */
export interface WatchRequest {
  /** Runs when the server has begun to answer. */
  readonly during?: () => Promise<unknown>;
  /** Whether the events so far are all that the case waits for. */
  readonly until: (events: readonly WatchedEvent[]) => boolean;
  /** Whether bookmarks are compared as well. @default false */
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

  /** The events, once they are what is waited for or the stream has ended. */
  async until(isDone: WatchRequest['until']): Promise<readonly WatchedEvent[]> {
    const events: WatchedEvent[] = [];
    if (isDone(events)) return events;
    for await (const line of createInterface({ input: this.#answer.body })) {
      const event = JSON.parse(line) as WatchedEvent;
      if (event.type === 'BOOKMARK' && !this.#bookmarks) continue;
      events.push(event);
      if (isDone(events)) break;
    }
    return events;
  }

  close(): void {
    this.#answer.body.destroy();
  }
}
