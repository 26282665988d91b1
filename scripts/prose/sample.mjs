// Draws random texts for a reader, because the rules cannot report a sentence that is only hard to understand.
import { createHash } from 'node:crypto';

const KINDS = ['comment', 'title', 'message'];

/** Returns up to `count` texts of each kind. The same texts and the same seed give the same sample. */
export function sampleOf(texts, { count, seed }) {
  return KINDS.flatMap((kind) => {
    const ranked = texts
      .filter((text) => text.kind === kind)
      .map((text) => ({ text, rank: rankOf(text, seed) }))
      .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
    return ranked.slice(0, count).map(({ text }) => text);
  });
}

function rankOf({ path, text, lines: [[, line] = []] }, seed) {
  return createHash('sha256').update(`${seed}\n${path}:${line}\n${text}`).digest('hex');
}
