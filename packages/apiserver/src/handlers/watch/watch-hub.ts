import { WatchTurns } from './watch-turns.js';

/** A watch that is open. */
export interface OpenWatch {
  /** Tells the client the version of the store, if it wants bookmarks and does not know it yet. */
  bookmark(): void;
}

/** The open watches of a server. */
export class WatchHub {
  readonly turns = new WatchTurns();
  readonly #open = new Set<OpenWatch>();
  readonly #onOpen: () => void;

  /** @param onOpen called when a watch has been opened */
  constructor(onOpen: () => void = () => undefined) {
    this.#onOpen = onOpen;
  }

  get size(): number {
    return this.#open.size;
  }

  add(watch: OpenWatch): () => void {
    this.#open.add(watch);
    this.#onOpen();
    return () => this.#open.delete(watch);
  }

  /** Sends a bookmark on every watch that allows them and is behind the store's version. */
  bookmark(): void {
    for (const watch of this.#open) watch.bookmark();
  }
}
