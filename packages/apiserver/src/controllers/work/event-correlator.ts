import { BoundedMap } from './bounded-map.js';

/** The number of distinct messages with the same object and reason at which the correlator starts to combine the messages. */
const distinctMessages = 10;
const combinedForMs = 600_000;
/**
 * The number of Events that a source can write about an object in a burst, and the time in milliseconds until the source can write one more
 * Event.
 */
const burst = 25;
const refillMs = 300_000;
const remembered = 4096;

/** The text of an Event, with the source and the object of the Event. */
export interface Occurrence {
  /** Identifies the source and the object. */
  readonly subject: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** The decision for an occurrence: dropped, written as a new Event, or counted in an earlier Event. */
export type Correlation<Written> =
  | { readonly kind: 'drop' }
  | { readonly kind: 'write'; readonly message: string; readonly earlier: Counted<Written> | undefined };

/** A written Event, and the number of its occurrences. */
export interface Counted<Written> {
  readonly event: Written;
  readonly count: number;
}

interface Group {
  readonly messages: Set<string>;
  lastMs: number;
}

interface Allowance {
  tokens: number;
  lastMs: number;
}

/**
 * Limits the number of Events, like the EventCorrelator of client-go. Increases the count of a repeated Event, combines similar Events, and
 * limits the rate of Events that a source writes about an object.
 */
export class EventCorrelator<Written> {
  readonly #groups = new BoundedMap<Group>(remembered);
  readonly #written = new BoundedMap<Counted<Written>>(remembered);
  readonly #allowances = new BoundedMap<Allowance>(remembered);

  /** Returns the decision for an occurrence. If the decision is `write`, the caller must pass the resulting Event to `written`. */
  correlate(occurrence: Occurrence, nowMs: number): Correlation<Written> {
    const { key, message } = this.#combine(occurrence, nowMs);
    if (!this.#allowed(occurrence.subject, nowMs)) return { kind: 'drop' };
    return { kind: 'write', message, earlier: this.#written.get(key) };
  }

  /** Stores the Event that was written for an occurrence. */
  written(occurrence: Occurrence, counted: Counted<Written>): void {
    const group = this.#groups.get(groupKey(occurrence));
    const combined = (group?.messages.size ?? 0) >= distinctMessages;
    this.#written.set(combined ? groupKey(occurrence) : messageKey(occurrence), counted);
  }

  #combine(occurrence: Occurrence, nowMs: number): { readonly key: string; readonly message: string } {
    const known = this.#groups.get(groupKey(occurrence));
    const fresh = known === undefined || nowMs - known.lastMs > combinedForMs;
    const group = fresh ? { messages: new Set<string>(), lastMs: nowMs } : known;
    group.messages.add(occurrence.message);
    group.lastMs = nowMs;
    this.#groups.set(groupKey(occurrence), group);
    const { messages } = group;
    if (messages.size < distinctMessages) return { key: messageKey(occurrence), message: occurrence.message };
    const [oldest] = messages;
    if (oldest !== undefined && messages.size > distinctMessages) messages.delete(oldest);
    return { key: groupKey(occurrence), message: `(combined from similar events): ${occurrence.message}` };
  }

  #allowed(subject: string, nowMs: number): boolean {
    const known = this.#allowances.get(subject) ?? { tokens: burst, lastMs: nowMs };
    const refilled = Math.min(burst, known.tokens + (nowMs - known.lastMs) / refillMs);
    const allowed = refilled >= 1;
    this.#allowances.set(subject, { tokens: allowed ? refilled - 1 : refilled, lastMs: nowMs });
    return allowed;
  }
}

function groupKey({ subject, type, reason }: Occurrence): string {
  return `${subject}|${type}|${reason}`;
}

function messageKey(occurrence: Occurrence): string {
  return `${groupKey(occurrence)}|${occurrence.message}`;
}
