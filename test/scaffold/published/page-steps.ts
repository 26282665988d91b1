/** What a reader of a page does, in order. */
export type PageStep = CommandStep | FileStep | ResultStep;

/** A line that is typed into a terminal. */
export interface CommandStep {
  readonly does: 'command';
  readonly line: string;
  /** In another terminal, beside what runs. What runs in the same one is ended before. */
  readonly beside: boolean;
}
/** A file that is written whole. */
export interface FileStep {
  readonly does: 'write';
  readonly path: string;
  readonly text: string;
}
/** Lines that are seen then, in this order; others may stand between. */
export interface ResultStep {
  readonly does: 'see';
  readonly lines: readonly string[];
}

const block = /^```(?<language>\w+)\n(?<body>[^]*?)^```$/gm;
const pathLine = /^(?:\/\/|#) (?<path>[\w./-]+)\n/;

/**
 * The steps of a page whose blocks are all meant to be followed: `sh` is typed, `text` is seen, and any other one is a file, whose path
 * its first line tells. Throws when a block tells none.
 */
export function pageSteps(page: string): readonly PageStep[] {
  let end = 0;
  return [...page.matchAll(block)].flatMap((match): readonly PageStep[] => {
    const { language = '', body = '' } = match.groups ?? {};
    const said = page.slice(end, match.index);
    end = match.index + match[0].length;
    if (language === 'text') return [{ does: 'see', lines: linesOf(body) }];
    if (language === 'sh') {
      const beside = said.includes('another terminal');
      return linesOf(body).map((line) => ({ does: 'command', line, beside }));
    }
    const path = pathLine.exec(body)?.groups?.['path'];
    if (path === undefined) throw new Error(`a block of ${language} does not tell its file:\n${body}`);
    return [{ does: 'write', path, text: body.replace(pathLine, '') }];
  });
}

/** Whether the lines are there in this order. `…` stands for anything, and a space for any number of them. */
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
