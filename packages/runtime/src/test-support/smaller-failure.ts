import type { ParsedDocument } from './parser-comparison.js';

/** The maximum number of attempts to remove a document or bytes. */
const MAX_ATTEMPTS = 20_000;

/**
 * Returns fewer and smaller documents with the same failure: `fails` also returns true for these documents. Keeps the last document, and
 * the earlier documents that are necessary for the failure.
 */
export function smallerFailure(
  documents: readonly ParsedDocument[],
  fails: (documents: readonly ParsedDocument[]) => boolean,
): readonly ParsedDocument[] {
  let kept = documents;
  for (let count = 1; count < documents.length; count *= 4) {
    const last = documents.slice(-count);
    if (!fails(last)) continue;
    kept = last;
    break;
  }
  let attempts = 0;
  const canRemove = <T>(
    items: readonly T[],
    asDocuments: (items: readonly T[]) => readonly ParsedDocument[],
  ): readonly T[] => withoutParts(items, (fewer) => attempts++ < MAX_ATTEMPTS && fails(asDocuments(fewer)));
  const last = kept.at(-1) as ParsedDocument;
  kept = [...canRemove(kept.slice(0, -1), (earlier) => [...earlier, last]), last];
  for (let at = kept.length - 1; at >= 0; at--) {
    const { bytes, isEvent } = kept[at] as ParsedDocument;
    const replaced = (fewer: readonly number[]): ParsedDocument[] =>
      kept.with(at, { bytes: Buffer.from(fewer), isEvent });
    kept = replaced(canRemove([...bytes], replaced));
  }
  return kept;
}

/** Removes parts of a list, from large to small parts, as long as the shorter list is accepted. */
function withoutParts<T>(items: readonly T[], isAccepted: (items: readonly T[]) => boolean): readonly T[] {
  let kept = items;
  for (let size = kept.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const fewer = kept.toSpliced(at, size);
      if (isAccepted(fewer)) kept = fewer;
      else at += size;
    }
  }
  return kept;
}
