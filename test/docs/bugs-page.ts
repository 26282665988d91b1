import { join } from 'node:path';
import type { Bug } from '../explore/bugs/bug.js';
import { root } from './markdown-pages.js';
import { markdownTable } from './markdown-table.js';

/** Path of the page that contains the table. */
export const PAGE = join(root, 'docs', 'reference', 'explored-bugs.md');

const TABLE = /^\| bug .*\n(?:\|.*\n)+/m;

/** The exploration that found a bug. */
export interface FoundBug {
  readonly bug: Bug;
  /** The rule that the bug violates. Undefined if the bug was not found. */
  readonly oracle: string | undefined;
  readonly trials: number;
  readonly seconds: number;
  /** The number of steps of the reported history. */
  readonly steps: number;
}

/** Returns the page with the given results. Throws if the page does not contain a table to replace. */
export function pageWith(page: string, found: readonly FoundBug[]): string {
  if (!TABLE.test(page)) throw new Error(`the page ${PAGE} does not contain the table of bugs`);
  const rows = found.map(({ bug: { name, source, mechanism = '–' }, oracle, trials, seconds, steps }) => [
    source === undefined ? name : `[${name}](${source})`,
    mechanism,
    oracle === undefined ? '–' : `\`${oracle}\``,
    String(trials),
    seconds.toFixed(1),
    oracle === undefined ? '–' : String(steps),
  ]);
  const heading = ['bug', 'mechanism', 'rule', 'trials', 'seconds', 'steps'];
  return page.replace(TABLE, () => `${markdownTable(heading, rows)}\n`);
}

/** A row of the table on the page. */
export interface BugRow {
  readonly name: string;
  readonly mechanism: string;
  readonly rule: string;
  readonly trials: number;
}

/** Returns the rows of the table on the page. */
export function bugRows(page: string): readonly BugRow[] {
  const [, , ...lines] = TABLE.exec(page)?.[0].trimEnd().split('\n') ?? [];
  return lines.map((line) => {
    const [, bug = '', mechanism = '', rule = '', trials = ''] = line.split('|').map((cell) => cell.trim());
    return {
      name: bug.replace(/^\[(.*)\]\(.*\)$/, '$1'),
      mechanism,
      rule: rule.replaceAll('`', ''),
      trials: Number(trials),
    };
  });
}
