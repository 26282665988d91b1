import type { OutputListener } from './scenario.js';

/** The content of the store of `project/store`, according to the output of the program. */
export class PrintedStore implements OutputListener {
  readonly #replicas = new Map<string, number>();
  #size = 0;

  onStart(): void {
    this.#replicas.clear();
    this.#size = 0;
  }

  onLine(line: string): void {
    const [, type, name = '', replicas, size] = /^(\w+) (\S+): (\d+) replicas, (\d+) in the store$/.exec(line) ?? [];
    if (type === undefined) return;
    if (type === 'deleted') this.#replicas.delete(name);
    else this.#replicas.set(name, Number(replicas));
    this.#size = Number(size);
  }

  /** Whether the store contains a project with this number of replicas, and as many projects as the program reported. */
  has(name: string, replicas: number): boolean {
    return this.#replicas.get(name) === replicas && this.#size === this.#replicas.size;
  }

  get names(): readonly string[] {
    return [...this.#replicas.keys()];
  }
}
