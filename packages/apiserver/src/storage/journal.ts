import type { ObjectKey, StoredObject } from './stored-object.js';

/** One write, as it is kept: the whole object, or what was removed at which version. */
export type JournalEntry =
  | { readonly put: string; readonly object: StoredObject }
  | { readonly delete: string; readonly key: ObjectKey; readonly version: number };

/** Keeps the writes of a store where they outlive the process. */
export interface Journal {
  /**
   * Takes a write before anything else knows of it. When it throws, the write is not kept, and must not be carried out.
   */
  append(entry: JournalEntry): void;
  /**
   * Resolves when every write taken so far is kept whatever happens to the process or the machine; undefined when that is
   * so already. Rejects when it cannot be known.
   */
  durable(): Promise<void> | undefined;
}

/** What a store begins with: the objects of a version, and the writes after it in order. */
export interface JournalContent {
  readonly version: number;
  readonly objects: Iterable<Extract<JournalEntry, { put: string }>>;
  readonly entries: Iterable<JournalEntry>;
}
