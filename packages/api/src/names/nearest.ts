/** Returns the known word with the smallest edit distance to a misspelled word; undefined if no known word is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((each) => ({ each, distance: distanceOf(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= Math.max(1, Math.floor(Math.max(each.length, word.length) * 0.4)))
    .toSorted((a, b) => a.distance - b.distance);
  return best?.each;
}

/** Returns the edit distance of two words: the number of replacements, insertions, deletions, and swaps of adjacent letters. */
function distanceOf(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const above = rows[i - 1] ?? [];
      const change = (above[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isExchange = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const exchange = isExchange ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : change;
      row.push(Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change, exchange));
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
