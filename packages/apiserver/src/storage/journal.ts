import type { ApiObject, ObjectKey } from './api-object.js';

/** One write in a journal: the whole object, or the bucket, key and version of a deletion. */
export type JournalEntry =
  | { readonly put: string; readonly object: ApiObject }
  | { readonly delete: string; readonly key: ObjectKey; readonly version: number };

/** Persists the writes of a store. */
export interface Journal {
  /**
   * Appends a write before the store applies the write. If `append` throws, the write is not persisted, and the caller must not apply the
   * write.
   */
  append(entry: JournalEntry): void;
  /**
   * Resolves when all writes so far survive a crash of the process or the machine. Returns undefined if all these writes already survive a
   * crash. Rejects if the journal does not know whether the writes survive a crash.
   */
  durable(): Promise<void> | undefined;
}

/** The initial content of a store: the objects at a version, and the later writes in order. */
export interface JournalContent {
  readonly version: number;
  readonly objects: Iterable<Extract<JournalEntry, { put: string }>>;
  readonly entries: Iterable<JournalEntry>;
}
