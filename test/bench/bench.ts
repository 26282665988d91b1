import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CELLS, selectRows } from './cells.js';
import { parseOptions } from './options.js';
import { writePage } from './report/page.js';
import { plot } from './report/plot.js';
import { measuredValues, type Program, type Report, verdictOf } from './report/report.js';
import { summary } from './report/statistics.js';
import { table } from './report/table.js';
import { measureRows } from './run/bench-run.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Measures the selected rows, prints the table, and writes the requested files. Returns the exit code: 0, 1 if a goal is missed or a
 * measurement failed, or 2 for
 * invalid arguments.
 */
export async function bench(args: readonly string[]): Promise<number> {
  let options;
  let rows;
  try {
    options = parseOptions(args);
    rows = selectRows(options.names);
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n`);
    return 2;
  }
  const { json, plots, docs, list } = options;
  if (list) {
    for (const { name, title, unit } of rows) process.stdout.write(`${name.padEnd(24)} ${title} [${unit}]\n`);
    return 0;
  }
  if (docs !== undefined) {
    writePage(JSON.parse(readFileSync(docs, 'utf8')) as Report, root);
    return 0;
  }
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  const report = await measureRows({
    ...options,
    signal: interrupted.signal,
    cells: CELLS,
    rows,
    onProgress: (line) => process.stderr.write(`bench: ${line}\n`),
  });
  print(report);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  if (plots !== undefined) {
    mkdirSync(plots, { recursive: true });
    for (const row of report.rows) writeFileSync(join(plots, `${row.name}.svg`), plot(row));
  }
  return report.failures.length > 0 || isMissed(report) ? 1 : 0;
}

function print({ rows, missing, failures, runs, minutes, load }: Report): void {
  const programs = (['kubewright', 'before', 'go'] as const).filter((program: Program) =>
    rows.some(({ values }) => values[program] !== undefined),
  );
  const isEmpty = missing.length > 0 && !programs.includes('go');
  process.stdout.write(`${table(rows, isEmpty ? [...programs, 'go'] : programs)}\n\n`);
  const values =
    runs === 1 ? 'Values of one run' : `Medians of ${runs} interleaved runs, with the range in parentheses`;
  const measured = `${minutes.toFixed(1)} minutes, load average ${load.low.toFixed(1)} to ${load.high.toFixed(1)}`;
  process.stdout.write(`${values}. Ratios are medians of the ratios of each run. ${measured}.\n`);
  for (const reason of [...missing, ...failures]) process.stdout.write(`${reason}\n`);
}

function isMissed({ rows }: Report): boolean {
  return rows.some((row) => verdictOf(row, summary(measuredValues(row, 'kubewright'))?.median) === 'missed');
}
