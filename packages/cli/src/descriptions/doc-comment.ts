/** The block tags whose text is part of the description, each with the prefix that replaces the tag. */
const proseTags: ReadonlyMap<string, string> = new Map([
  ['remarks', ''],
  ['deprecated', 'Deprecated: '],
]);

/**
 * Converts a doc comment to the description of a class or field. Joins the lines of a paragraph, and separates paragraphs with an empty
 * line. Preserves the line breaks of lists, tables, and code blocks. Replaces inline tags with their text. Removes all block tags and their
 * text, except `@remarks` and `@deprecated`. Returns undefined if no text remains.
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

/** Returns the lines before the first block tag, and the lines of the block tags in `proseTags`. */
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

/** Replaces inline tags with their text, and unescapes special characters. Replaces a link without text with the target. */
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

/** Joins the lines of each paragraph. Preserves the line breaks of lists, tables, and code blocks. */
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
