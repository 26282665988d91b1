import { join } from 'node:path';
import { markdownTable } from '../markdown-table.js';
import { root } from '../markdown-pages.js';
import type { GoProgram } from './go-programs.js';
import { OUR_PROGRAMS, type OurProgram, sizeOfGenerated, sizeOfOurs } from './our-programs.js';
import { sum } from './program-size.js';

/** Path of the page that contains the tables. */
export const PAGE = join(root, 'docs', 'reference', 'lines-of-code.md');

type GoPrograms = Readonly<Record<string, GoProgram>>;

/** Returns the page with updated tables. Throws if the page does not contain a table to replace. */
export function pageWith(page: string, goPrograms: GoPrograms): string {
  const tables = [writtenTable(goPrograms), otherTable(goPrograms)];
  return tables.reduce((text, table) => {
    const [heading = ''] = table.split('\n');
    const place = new RegExp(
      `^${heading.replaceAll(/[|()?]/g, String.raw`\$&`).replaceAll(/ +/g, ' +')}\n(?:\\|.*\n)+`,
      'm',
    );
    if (!place.test(text)) throw new Error(`the page ${PAGE} does not contain this table: ${heading}`);
    return text.replace(place, () => `${table}\n`);
  }, page);
}

function writtenTable(goPrograms: GoPrograms): string {
  const rows = OUR_PROGRAMS.map((program) => {
    const go = goOf(program, goPrograms);
    const ours = sizeOfOurs(program);
    if (go === undefined) return [program.name, '–', String(ours.lines), '–', '–'];
    const theirs = sum(Object.values(go.written));
    return [
      program.name,
      String(theirs.lines),
      String(ours.lines),
      (theirs.lines / ours.lines).toFixed(1),
      (theirs.characters / ours.characters).toFixed(1),
    ];
  });
  return markdownTable(['program', 'Go', 'Kubewright', 'times', 'times, in characters'], rows);
}

function otherTable(goPrograms: GoPrograms): string {
  const linesIn = (sizes: GoProgram['generated']): string =>
    sizes === undefined ? '–' : String(sum(Object.values(sizes)).lines);
  const rows = OUR_PROGRAMS.filter(({ isDeployed, example }) => isDeployed ?? example === 'project').map((program) => {
    const go = goOf(program, goPrograms);
    const generated = program.isDeployed ? String(sizeOfGenerated(program.example).lines) : '–';
    return [program.name, linesIn(go?.definition), linesIn(go?.generated), generated];
  });
  return markdownTable(['example', 'Go: definition by hand', 'Go: generated', 'Kubewright: generated'], rows);
}

function goOf({ name, against }: OurProgram, goPrograms: GoPrograms): GoProgram | undefined {
  if (against === undefined) return undefined;
  const go = goPrograms[against];
  if (go === undefined) throw new Error(`${name} is compared with ${against}, which was not counted`);
  return go;
}
