/** Blocks whose text is prose about what is described, and what stands before it. */
const proseTags: ReadonlyMap<string, string> = new Map([
  ['remarks', ''],
  ['deprecated', 'Deprecated: '],
]);

/**
 * The prose of a documentation comment, as a description has it: without the stars, with a paragraph on one line and an empty line
 * between paragraphs; lists, tables and code keep their lines. Inline tags are replaced by what they show. Of the blocks, `@remarks`
 * and `@deprecated` stay. Undefined where nothing is left.
 *
 * @param comment what stands between the delimiters of the comment
 */
export function proseOf(comment: string): string | undefined {
  const text = joined(proseLines(linesOf(comment)).map(withoutTags)).trim();
  return text === '' ? undefined : text;
}

function linesOf(comment: string): readonly string[] {
  return comment.split(/\r?\n/).map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
}

/** The lines before the first block, and those of blocks that are prose. */
function proseLines(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let keeps = true;
  let fenced = false;
  for (const line of lines) {
    const [whole, tag] = fenced ? [] : (/^\s*@(\w+)\s*/.exec(line) ?? []);
    if (/^\s*```/.test(line)) fenced = !fenced;
    if (whole === undefined || tag === undefined) {
      if (keeps) kept.push(line);
      continue;
    }
    const heading = proseTags.get(tag);
    keeps = heading !== undefined;
    if (keeps) kept.push('', `${heading}${line.slice(whole.length)}`.trimEnd());
  }
  return kept;
}

/** Without inline tags: a link is its text, or what it leads to. */
function withoutTags(line: string): string {
  return line
    .replace(
      /\{@(?:link|linkcode|linkplain)\s+([^\s|}]+)(?:\s*\|\s*|\s+)?([^}]*)\}/g,
      (_, target: string, text: string) => {
        const shown = text.trim();
        return shown === '' ? target : shown;
      },
    )
    .replace(/\{@\w+\s*([^}]*)\}/g, '$1')
    .replace(/\\([@{}])/g, '$1')
    .replaceAll('*\\/', '*/');
}

/** Lines of a paragraph on one line; what has lines of its own keeps them. */
function joined(lines: readonly string[]): string {
  const written: string[] = [];
  let fenced = false;
  let open = false;
  for (const line of lines) {
    const fence = /^\s*```/.test(line);
    if (fenced || fence) {
      written.push(line);
      open = false;
    } else if (line === '') {
      if (written.at(-1) !== '') written.push('');
      open = false;
    } else if (open && !/^\s*(?:[-*+]|\d+[.)])\s|^\s*[|#>]/.test(line)) {
      written.push(`${written.pop()} ${line.trim()}`);
    } else {
      written.push(line);
      open = !/^\s*[|#]/.test(line);
    }
    if (fence) fenced = !fenced;
  }
  return written.join('\n');
}
