import { BoundedMap } from './bounded-map.js';

/** Messages of one reason about one object that are told apart; later ones are combined. */
const distinctMessages = 10;
const combinedForMs = 600_000;
/** How many events one source may write about one object at once, and how often it gets another. */
const burst = 25;
const refillMs = 300_000;
const remembered = 4096;

/** What is said about an object. */
export interface Occurrence {
  /** Who says it about which object. */
  readonly subject: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** What becomes of it: nothing, a new Event, or another count of one that was written before. */
export type Correlation<Written> =
  | { readonly kind: 'drop' }
  | { readonly kind: 'write'; readonly message: string; readonly earlier: Counted<Written> | undefined };

/** An Event that was written, and how often what it says has happened. */
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
 * Keeps a source from flooding the cluster with Events, in the way of client-go's recorders: what repeats is counted,
 * many messages of one reason are combined, and beyond a burst a source is heard about an object only now and then.
 */
export class EventCorrelator<Written> {
  readonly #groups = new BoundedMap<Group>(remembered);
  readonly #written = new BoundedMap<Counted<Written>>(remembered);
  readonly #allowances = new BoundedMap<Allowance>(remembered);

  /** Decides what becomes of an occurrence at a time; `written` is to be called with the Event that was made of it. */
  correlate(occurrence: Occurrence, nowMs: number): Correlation<Written> {
    const { key, message } = this.#combine(occurrence, nowMs);
    if (!this.#allowed(occurrence.subject, nowMs)) return { kind: 'drop' };
    return { kind: 'write', message, earlier: this.#written.get(key) };
  }

  /** Remembers the Event that an occurrence became. */
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
