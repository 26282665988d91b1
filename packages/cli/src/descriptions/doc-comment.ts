/** Blocks that belong to the description, each with the prefix of its text. */
const proseTags: ReadonlyMap<string, string> = new Map([
  ['remarks', ''],
  ['deprecated', 'Deprecated: '],
]);

/**
 * Returns the prose of a doc comment as a description, without the stars. Joins the lines of a paragraph, and separates paragraphs with an
 * empty line. Lists, tables, and code keep their lines. Replaces inline tags by their text. Keeps only the blocks `@remarks` and
 * `@deprecated`. Returns undefined if there is no prose.
 *
 * @param comment the text between the delimiters of the comment
 */
export function proseOf(comment: string): string | undefined {
  const text = joined(proseLines(linesOf(comment)).map(withoutTags)).trim();
  return text === '' ? undefined : text;
}

function linesOf(comment: string): readonly string[] {
  return comment.split(/\r?\n/).map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
}

/** Returns the lines before the first block, and the lines of blocks that belong to the description. */
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

/** Replaces inline tags: a link by its text, or by its target if it has no text. */
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

/** Joins the lines of each paragraph. Lists, tables, and code keep their lines. */
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
