import { type Occurrence, occurrenceKey, similarityKey } from './occurrence.js';
import { RecentEntries } from './recent-entries.js';
import { LONGEST_NOTE, shortened } from './shortened.js';

const MOST_TEXTS = 10;
const WINDOW_MS = 600_000;
const MOST_GROUPS = 4096;
const COMBINED = '(combined from similar events): ';

/** The event to which an occurrence is assigned. */
export interface Grouped {
  /** The key of the event. Occurrences with the same key are counted as one event. */
  readonly key: string;
  readonly occurrence: Occurrence;
  /** Whether the event combines several texts. If so, the event has the text of the latest occurrence. */
  readonly combined: boolean;
}

/**
 * Combines similar occurrences; see `similarityKey`. Counts the different texts of similar occurrences, until no similar event occurs for
 * more than ten minutes. The first nine texts have separate events. From the tenth text on, every occurrence is assigned to one combined
 * event, except if its text is one of the nine newest texts. The text of the combined event is the text of its latest occurrence with a
 * prefix.
 */
export class SimilarEvents {
  readonly #groups = new RecentEntries<{ readonly texts: Set<string>; lastMs: number }>(MOST_GROUPS);

  group(occurrence: Occurrence, nowMs: number): Grouped {
    const similar = similarityKey(occurrence);
    const known = this.#groups.get(similar);
    const group =
      known === undefined || nowMs - known.lastMs > WINDOW_MS ? { texts: new Set<string>(), lastMs: nowMs } : known;
    group.lastMs = nowMs;
    group.texts.add(occurrence.note);
    this.#groups.set(similar, group);
    if (group.texts.size < MOST_TEXTS) return { key: occurrenceKey(occurrence), occurrence, combined: false };
    const [oldest] = group.texts;
    if (oldest !== undefined) group.texts.delete(oldest);
    const { regarding, ...rest } = occurrence;
    return {
      key: similar,
      occurrence: { ...rest, regarding, note: shortened(COMBINED + occurrence.note, LONGEST_NOTE) },
      combined: true,
    };
  }
}
