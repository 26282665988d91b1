import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { KubeObject } from '@kubewright/api';
import { type Clock, microTime, type Timer } from '@kubewright/api/clock';
import { EventRecorder } from './event-recorder.js';
import type { CountedEvent, EventSender } from './event-sender.js';
import type { EventObject, ObjectReference } from './event-object.js';
import { SpamBudget } from './spam-budget.js';

/** An event that did not happen again for so long is over: its count is sent, and it is forgotten. */
const SERIES_MS = 360_000;
const MOST_EVENTS = 4096;
const LONGEST_NOTE = 1024;
const LONGEST_NAME = 253;

/** What all recorders of a manager have in common. */
export interface EventRecorderOptions {
  readonly sender: EventSender;
  readonly clock: Clock;
  /** Who records, such as the name of a controller. */
  readonly reportingController: string;
}

/**
 * Records Events of events.k8s.io/v1. The first of its kind is sent at once, the second turns it into a series, later ones are
 * counted and the count is sent when it doubles and when the series is over. An object that causes too many is silenced for a while.
 */
export class AggregatingEventRecorder extends EventRecorder {
  readonly #sender: EventSender;
  readonly #clock: Clock;
  readonly #controller: string;
  readonly #instance: string;
  readonly #events = new Map<string, CountedEvent>();
  readonly #budget = new SpamBudget();
  #sweep: Timer | undefined;

  constructor(options: EventRecorderOptions) {
    super();
    this.#sender = options.sender;
    this.#clock = options.clock;
    this.#controller = options.reportingController;
    this.#instance = `${options.reportingController}-${hostname()}`.slice(0, 128);
  }

  override normal(object: KubeObject, reason: string, message: string): void {
    this.#record('Normal', object, { reason, message });
  }
  override warning(object: KubeObject, reason: string, message: string): void {
    this.#record('Warning', object, { reason, message });
  }
  /** Sends the counts that the server does not know yet, and forgets everything. */
  flush(): void {
    this.#sweep?.cancel();
    this.#sweep = undefined;
    for (const counted of this.#events.values()) if (counted.count > counted.sentCount) this.#sender.send(counted);
    this.#events.clear();
  }

  #record(
    type: EventObject['type'],
    object: KubeObject,
    what: { readonly reason: string; readonly message: string },
  ): void {
    const regarding = referenceTo(object);
    const note = what.message.slice(0, LONGEST_NOTE);
    const key = JSON.stringify([type, what.reason, note, regarding]);
    const known = this.#events.get(key);
    if (known !== undefined) return this.#again(key, known);
    const now = this.#clock.now();
    if (!this.#budget.take(JSON.stringify([type, regarding]), this.#clock.monotonicMs())) {
      this.#sender.metrics?.dropped();
      return;
    }
    const event: EventObject = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: eventName(regarding.name), namespace: regarding.namespace ?? 'default' },
      eventTime: microTime(now),
      reportingController: this.#controller,
      reportingInstance: this.#instance,
      type,
      reason: what.reason,
      action: what.reason,
      note,
      regarding,
    };
    this.#remember(key, { event, count: 1, lastObserved: now, sentCount: 0, queued: false });
  }
  #again(key: string, counted: CountedEvent): void {
    counted.count++;
    this.#sender.metrics?.counted();
    counted.lastObserved = this.#clock.now();
    this.#events.delete(key);
    this.#events.set(key, counted);
    if (counted.count >= counted.sentCount * 2) this.#sender.send(counted);
  }
  #remember(key: string, counted: CountedEvent): void {
    this.#events.set(key, counted);
    this.#sender.send(counted);
    const [oldest] = this.#events.keys();
    if (this.#events.size > MOST_EVENTS && oldest !== undefined) this.#events.delete(oldest);
    this.#sweep ??= this.#clock.schedule(SERIES_MS, () => this.#endSeries());
  }
  #endSeries(): void {
    this.#sweep = undefined;
    const before = this.#clock.now().getTime() - SERIES_MS;
    for (const [key, counted] of this.#events) {
      if (counted.lastObserved.getTime() > before) continue;
      this.#events.delete(key);
      if (counted.count > counted.sentCount) this.#sender.send(counted);
    }
    if (this.#events.size > 0) this.#sweep = this.#clock.schedule(SERIES_MS, () => this.#endSeries());
  }
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject): ObjectReference {
  const { name, namespace, uid } = metadata;
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }), ...(uid !== undefined && { uid }) };
}
function eventName(object: string): string {
  const unique = randomUUID().replaceAll('-', '').slice(0, 16);
  const name = `${object}.${unique}`;
  return name.length <= LONGEST_NAME && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) ? name : randomUUID();
}
