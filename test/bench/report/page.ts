import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plot } from './plot.js';
import { type MeasuredRow, measuredValues, type Program, ratioTo, type Report, verdictOf } from './report.js';
import { rounded, summary } from './statistics.js';
import { tableCells } from './table.js';

/** The folder of the page, relative to the root of the repository. */
const FOLDER = join('docs', 'reference');
const PLOTS = 'performance';

/** Writes the page about performance, with its plots, from a report. Replaces the plots of an earlier report. */
export function writePage(report: Report, root: string): void {
  const folder = join(root, FOLDER, PLOTS);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  for (const row of report.rows.filter(hasPlot)) writeFileSync(join(folder, `${row.name}.svg`), plot(row));
  writeFileSync(join(root, FOLDER, 'performance.md'), page(report));
}

/** Returns the Markdown of the page. */
export function page(report: Report): string {
  const { rows } = report;
  const sections = [...new Set(rows.map(({ section }) => section))];
  return [
    '# Performance',
    'This page compares Kubewright with Go, and measures the embedded API server. `npm run bench -- --docs FILE` generates the page from the results of `npm run bench -- --peers --json FILE`.',
    summaryText(rows),
    ...busy(report),
    ...behind(rows),
    '## Method',
    method(report),
    ...sections.flatMap((section) => {
      const of = rows.filter((row) => row.section === section);
      return [`## ${section}`, markdownTable(of), ...of.filter(hasPlot).map(picture)];
    }),
  ]
    .join('\n\n')
    .concat('\n');
}

function hasPlot(row: MeasuredRow): boolean {
  return measuredValues(row, 'go').length > 0;
}
function picture(row: MeasuredRow): string {
  const words = (['kubewright', 'go'] as const).map((program) => {
    const figures = summary(measuredValues(row, program));
    const value = figures === undefined ? 'not measured' : `${rounded(figures.median)} ${row.unit}`;
    return `${program === 'go' ? 'Go' : 'Kubewright'}: ${value}`;
  });
  return `![${row.title}: ${words.join(', ')}](${PLOTS}/${row.name}.svg)`;
}

function medianOf(row: MeasuredRow): number | undefined {
  return summary(measuredValues(row, 'kubewright'))?.median;
}

function summaryText(rows: readonly MeasuredRow[]): string {
  const count = (verdict: string): number => rows.filter((row) => verdictOf(row, medianOf(row)) === verdict).length;
  const [holds, missed] = [count('holds'), count('missed')];
  const goals = (number: number): string => `${number} ${number === 1 ? 'goal' : 'goals'}`;
  return `The project has ${goals(holds + missed)} for the ${rows.length} rows. Kubewright meets ${goals(holds)}, and misses ${goals(missed)}.`;
}

/** Returns a warning if other programs used the machine during the run. */
function busy({ machine: { cores }, load: { median } }: Report): readonly string[] {
  if (median <= 2 * cores) return [];
  const load = `a load average of ${median.toFixed(1)} on ${cores} cores`;
  return [
    `Other programs used the machine during this run (${load}). The delays and elapsed times below are not representative.`,
  ];
}

/** Returns the rows in which Go is better. */
function behind(rows: readonly MeasuredRow[]): readonly string[] {
  const worse = rows.flatMap((row) => {
    const ratio = ratioTo(row, 'go');
    if (ratio === undefined || (row.higherIsBetter === true ? ratio >= 1 : ratio <= 1)) return [];
    return [`- ${row.title}: ${ratio.toFixed(2)} times the value of Go`];
  });
  if (!rows.some(hasPlot)) return ['Go was not measured.'];
  if (worse.length === 0) return ['In no measured row is Go ahead.'];
  return ['## Where Go is ahead', worse.join('\n')];
}

function method({ date, machine, versions, runs, minutes, load, missing }: Report): string {
  const [low, median, high] = [load.low, load.median, load.high].map((value) => value.toFixed(1));
  return [
    `- **Machine**: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGigabytes} GiB of memory, ${machine.system}`,
    `- **Versions**: ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
    `- **Runs**: ${runs} ${runs === 1 ? 'run' : 'runs'} on ${date.slice(0, 10)}, ${minutes.toFixed(0)} minutes, with a load average between ${low} and ${high} (median ${median}). A load above the number of cores affects delays and maximums most.`,
    '- **Order**: each run measures each row with all programs, one after the other. Every second run measures the programs in reverse order.',
    '- **Values**: CPU is the user and system time of all threads of the measured process. The table contains medians, with the lowest and the highest value in parentheses. A ratio is the median of the ratios of each run.',
    '- **Data**: generated custom resources of 1.65 KB and Pods of 8.8 KB, which are the same for all programs and in all runs.',
    '- **Server**: a load server in another process on the same machine, with TLS. The server stores patches, and sends an event for each change. Operators read Pods as protobuf, which is the default of controller-runtime and of Kubewright. All other requests use JSON.',
    '- **Operators**: Kubewright is bundled like the output of `kubewright build`. The Go operator uses the defaults of controller-runtime without a limit for the rate of requests, and its cache drops `managedFields`, as the cache of Kubewright does. The queue of Go is the typed work queue of client-go.',
    ...missing.map((reason) => `- **Not measured**: ${reason}`),
  ].join('\n');
}

function markdownTable(rows: readonly MeasuredRow[]): string {
  const programs: readonly Program[] = rows.some(hasPlot) ? ['kubewright', 'go'] : ['kubewright'];
  // The name of the row is in the last column, because readers need it only for the command.
  const [head = [], ...lines] = tableCells(rows, programs).map(([name = '', ...cells]) => [...cells, name]);
  const titled = head.map((text, column) => (column === head.length - 2 ? 'result' : text));
  const body = lines.map((cells) => cells.map((text, column) => (column === cells.length - 1 ? `\`${text}\`` : text)));
  const aligned = [titled, ...body];
  const widths = titled.map((_, column) => Math.max(3, ...aligned.map((cells) => [...(cells[column] ?? '')].length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(titled), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n');
}
