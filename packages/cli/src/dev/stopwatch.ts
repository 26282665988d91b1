/** How long the parts of something took. */
export class Stopwatch {
  readonly #parts = new Map<string, number>();

  /** A part that was measured elsewhere. */
  add(part: string, ms: number): void {
    this.#parts.set(part, ms);
  }
  /** Does a part and measures it, also where it fails. */
  async time<T>(part: string, work: () => Promise<T>): Promise<T> {
    const begunMs = performance.now();
    try {
      return await work();
    } finally {
      this.add(part, performance.now() - begunMs);
    }
  }
  /** '412 ms (compile 150, stop 20, …)'. */
  get text(): string {
    const parts = [...this.#parts].map(([part, ms]) => `${part} ${Math.round(ms)}`);
    const total = [...this.#parts.values()].reduce((sum, ms) => sum + ms, 0);
    return `${Math.round(total)} ms (${parts.join(', ')})`;
  }
}
