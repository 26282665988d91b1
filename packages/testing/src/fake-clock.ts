import { Clock, type Duration, durationMs, type Timer } from '@kubewright/api/clock';

interface Alarm {
  readonly dueMs: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is moved. Timers fire at their own moment and in order, so code that looks at the time while
 * hours are skipped sees each moment as it was to be.
 *
 * @example
 * const clock = new FakeClock();
 * await using env = await TestEnvironment.start({ kinds: [Machine], clock });
 * await env.run(MachineController);
 * await clock.advance('1h');
 */
export class FakeClock extends Clock {
  #startMs: number;
  readonly #alarms = new Set<Alarm>();
  readonly #settlers = new Set<() => Promise<void>>();
  #elapsedMs = 0;

  /** @param start @default '2026-01-01T00:00:00Z' */
  constructor(start: string | Date = '2026-01-01T00:00:00Z') {
    super();
    this.#startMs = new Date(start).getTime();
  }

  override now(): Date {
    return new Date(this.#startMs + this.#elapsedMs);
  }
  override monotonicMs(): number {
    return this.#elapsedMs;
  }
  override schedule(delayMs: number, callback: () => void): Timer {
    const alarm: Alarm = { dueMs: this.#elapsedMs + Math.max(0, delayMs), callback };
    this.#alarms.add(alarm);
    return { cancel: () => void this.#alarms.delete(alarm) };
  }

  /** Moves time; resolves when everything that was due has run, what it set off in test environments of this clock included. */
  async advance(by: Duration): Promise<void> {
    const end = this.#elapsedMs + durationMs(by);
    await this.#settle();
    for (let dueMs = this.#nextDueMs(end); dueMs !== undefined; dueMs = this.#nextDueMs(end)) {
      this.#elapsedMs = Math.max(this.#elapsedMs, dueMs);
      this.#fireDue();
      await this.#settle();
    }
    this.#elapsedMs = end;
  }

  /** Puts the wall clock to another time, as somebody who sets the clock of a machine does: timers go by monotonic time and do not notice. */
  setTime(time: string | Date): void {
    this.#startMs = new Date(time).getTime() - this.#elapsedMs;
  }

  /** Waits for this after each moment at which something was due. Returns what ends it. */
  onAdvance(settle: () => Promise<void>): () => void {
    this.#settlers.add(settle);
    return () => void this.#settlers.delete(settle);
  }

  #nextDueMs(end: number): number | undefined {
    let next: number | undefined;
    for (const { dueMs } of this.#alarms) if (dueMs <= end && (next === undefined || dueMs < next)) next = dueMs;
    return next;
  }
  #fireDue(): void {
    const due = [...this.#alarms].filter((alarm) => alarm.dueMs <= this.#elapsedMs);
    for (const alarm of due) if (this.#alarms.delete(alarm)) alarm.callback();
  }
  async #settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const settle of this.#settlers) await settle();
  }
}
