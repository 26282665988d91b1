import { Clock, type Duration, durationMs, type Timer } from '@kubewright/api/clock';

interface Alarm {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock extends Clock {
  readonly #startMs: number;
  readonly #alarms = new Set<Alarm>();
  #elapsedMs = 0;

  constructor(start: string | Date = '2026-01-01T00:00:00Z') {
    super();
    this.#startMs = new Date(start).getTime();
  }
  /** Timers that have not fired and were not cancelled. */
  get timers(): number {
    return this.#alarms.size;
  }
  override now(): Date {
    return new Date(this.#startMs + this.#elapsedMs);
  }
  override monotonicMs(): number {
    return this.#elapsedMs;
  }
  override sleep(delay: Duration, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = this.schedule(durationMs(delay), resolve);
      signal?.addEventListener('abort', () => {
        timer.cancel();
        reject(signal.reason);
      });
    });
  }
  override schedule(delayMs: number, callback: () => void): Timer {
    const alarm: Alarm = { dueMs: this.#elapsedMs + Math.max(0, delayMs), callback };
    this.#alarms.add(alarm);
    return { cancel: () => void this.#alarms.delete(alarm) };
  }
  /** Moves time on; what falls due on the way runs at its moment, and what it starts gets a turn of the event loop. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsedMs + ms;
    await turn();
    for (let next = this.#nextBefore(end); next !== undefined; next = this.#nextBefore(end)) {
      this.#elapsedMs = next.dueMs;
      this.#alarms.delete(next);
      next.callback();
      await turn();
    }
    this.#elapsedMs = end;
  }
  #nextBefore(end: number): Alarm | undefined {
    let next: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (alarm.dueMs <= end && (next === undefined || alarm.dueMs < next.dueMs)) next = alarm;
    }
    return next;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
