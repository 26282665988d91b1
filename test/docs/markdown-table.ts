/** Returns a Markdown table. Columns of numbers are right-aligned. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const isText = (at: number): boolean => rows.some((row) => /[a-z]/.test(row[at] ?? ''));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (isText(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, at) => (isText(at) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(heading), line(rule), ...rows.map(line)].join('\n');
}
