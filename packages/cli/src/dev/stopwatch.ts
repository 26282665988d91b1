/** Measures and formats the durations of named steps. */
export class Stopwatch {
  readonly #parts = new Map<string, number>();

  /** Adds a step with a known duration in milliseconds. */
  add(part: string, ms: number): void {
    this.#parts.set(part, ms);
  }
  /** Runs a step, and adds its duration even if the step throws an error. */
  async time<T>(part: string, work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      this.add(part, performance.now() - startedMs);
    }
  }
  /** The total duration and the duration of each step: '412 ms (compile 150, stop 20, …)'. */
  get text(): string {
    const parts = [...this.#parts].map(([part, ms]) => `${part} ${Math.round(ms)}`);
    const total = [...this.#parts.values()].reduce((sum, ms) => sum + ms, 0);
    return `${Math.round(total)} ms (${parts.join(', ')})`;
  }
}
