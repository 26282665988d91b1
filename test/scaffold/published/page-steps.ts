/** An action of a reader of a page. */
export type PageStep = CommandStep | FileStep | ResultStep;

/** A command that is typed into a terminal. */
export interface CommandStep {
  readonly does: 'command';
  readonly line: string;
  /** Whether the command is typed in another terminal, next to the running program. Otherwise, the running program is stopped first. */
  readonly beside: boolean;
}
/** A file to write. */
export interface FileStep {
  readonly does: 'write';
  readonly path: string;
  readonly text: string;
}
/** Lines that the output must contain in this order. Other lines may be in between. */
export interface ResultStep {
  readonly does: 'see';
  readonly lines: readonly string[];
}

const block = /^```(?<language>\w+)\n(?<body>[^]*?)^```$/gm;
const pathLine = /^(?:\/\/|#) (?<path>[\w./-]+)\n/;

/**
 * Returns the steps of a page. A `sh` block contains commands, a `text` block contains output, and any other block is a file whose first
 * line contains the path. Throws if a block has no path.
 */
export function pageSteps(page: string): readonly PageStep[] {
  let end = 0;
  return [...page.matchAll(block)].flatMap((match): readonly PageStep[] => {
    const { language = '', body = '' } = match.groups ?? {};
    const output = page.slice(end, match.index);
    end = match.index + match[0].length;
    if (language === 'text') return [{ does: 'see', lines: linesOf(body) }];
    if (language === 'sh') {
      const beside = output.includes('another terminal');
      return linesOf(body).map((line) => ({ does: 'command', line, beside }));
    }
    const path = pathLine.exec(body)?.groups?.['path'];
    if (path === undefined) throw new Error(`a code block in ${language} does not name its file:\n${body}`);
    return [{ does: 'write', path, text: body.replace(pathLine, '') }];
  });
}

/** Whether the text contains the lines in this order. `…` matches any text, and a space matches any number of spaces. */
export function areSeen(lines: readonly string[], text: string): boolean {
  const seen = text.split('\n');
  let from = 0;
  return lines.every((line) => {
    const pattern = patternOf(line);
    const at = seen.findIndex((each, index) => index >= from && pattern.test(each));
    from = at + 1;
    return at >= 0;
  });
}

function patternOf(line: string): RegExp {
  const parts = line.split('…').map((part) =>
    part
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\s+/g, String.raw`\s+`),
  );
  return new RegExp(`^${parts.join('.*')}\\s*$`);
}
function linesOf(body: string): readonly string[] {
  return body.split('\n').filter((line) => line !== '');
}
