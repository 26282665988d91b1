import {
  goalText,
  type MeasuredRow,
  measuredValues,
  type Program,
  ratioTo,
  type Verdict,
  verdictOf,
} from './report.js';
import { rounded, summary } from './statistics.js';

const HEADS: Readonly<Record<Program, string>> = { kubewright: 'Kubewright', before: 'before', go: 'Go' };
const VERDICTS: Readonly<Record<Verdict, string>> = {
  holds: 'holds',
  missed: 'MISSED',
  unknown: 'not compared',
  none: '',
};

/** Returns the cells of the table: a heading line, and a line per row with medians, ranges, ratios, and the outcome of the goal. */
export function tableCells(rows: readonly MeasuredRow[], programs: readonly Program[]): readonly (readonly string[])[] {
  const others = programs.filter((program) => program !== 'kubewright');
  const heads = others.flatMap((program) => [HEADS[program], `ratio to ${HEADS[program]}`]);
  const lines = rows.map((row) => [
    row.name,
    row.title,
    cell(row, 'kubewright'),
    ...others.flatMap((program) => [cell(row, program), ratioCell(row, program)]),
    goalText(row),
    VERDICTS[verdictOf(row, summary(measuredValues(row, 'kubewright'))?.median)],
  ]);
  return [['row', 'measurement', HEADS.kubewright, ...heads, 'goal', ''], ...lines];
}

/** Formats the rows as a table for a terminal. */
export function table(rows: readonly MeasuredRow[], programs: readonly Program[]): string {
  const lines = tableCells(rows, programs);
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isText = (column: number): boolean => column < 2 || column >= widths.length - 2;
  return lines
    .map((line) =>
      line
        .map((text, column) => (isText(column) ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(row: MeasuredRow, program: Program): string {
  const figures = summary(measuredValues(row, program));
  if (figures === undefined) return '-';
  const { low, high } = figures;
  const range = low === high ? '' : ` (${rounded(low)}–${rounded(high)})`;
  return `${rounded(figures.median)}${range} ${row.unit}`;
}

function ratioCell(row: MeasuredRow, program: Program): string {
  const ratio = ratioTo(row, program);
  return ratio === undefined ? '-' : ratio.toFixed(ratio < 0.1 ? 3 : 2);
}
