import { WatchTurns } from './watch-turns.js';

/** An open watch. */
export interface OpenWatch {
  /** Sends a bookmark with the version of the store, if the client allows bookmarks and has not received this version. */
  bookmark(): void;
}

/** The open watches of a server. */
export class WatchHub {
  readonly turns = new WatchTurns();
  readonly #open = new Set<OpenWatch>();
  readonly #onOpen: () => void;

  /** @param onOpen called after a watch is opened */
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

  /** Sends a bookmark on each watch that allows bookmarks and is behind the store's version. */
  bookmark(): void {
    for (const watch of this.#open) watch.bookmark();
  }
}
