import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem, type as systemName } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureApiServer } from '../apiserver.js';
import type { Cell } from '../cells.js';
import type { Figures, Work } from '../operator/work.js';
import type { Program, Report, Row } from '../report/report.js';
import { median } from '../report/statistics.js';
import { measureWebhooks } from '../webhooks.js';
import { allFigures } from './all-figures.js';
import { bundled } from './bundles.js';
import { buildGoProgram, type GoProgram } from './go-program.js';
import { LoadServerProcess } from './load-server-process.js';
import { figuresOf } from './measured-process.js';
import { schedule, type Step } from './schedule.js';

const here = dirname(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))));

/** What a run measures. */
export interface RunOptions {
  readonly cells: readonly Cell[];
  /** The rows of the report. Cells without one of these rows are not measured. */
  readonly rows: readonly Row[];
  readonly runs: number;
  readonly peers: boolean;
  /** The duration of the churn in seconds. */
  readonly seconds: number;
  /** A built checkout to compare with. @default none */
  readonly against?: string;
  /** The share of the usual numbers of objects, events and requests. @default 1 */
  readonly scale?: number;
  /** The environment in which Go is searched. @default the environment of the process */
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the command before the next measurement when it is aborted. The report contains the completed measurements. @default none */
  readonly signal?: AbortSignal;
  /** Receives a line before each measurement. @default none */
  readonly onProgress?: (line: string) => void;
}

/** Measures the rows with all programs, and returns the report. Stops all processes that it starts. */
export async function measureRows(options: RunOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-bench-'));
  try {
    return await measured(options, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measured(options: RunOptions, folder: string): Promise<Report> {
  const { rows, runs, peers, against } = options;
  const begun = performance.now();
  const cells = options.cells.filter((cell) => Object.values(cell.rows).some((row) => rows.includes(row)));
  const go: GoProgram | undefined = peers
    ? buildGoProgram(join(here, 'test', 'bench', 'peers'), folder, options.env)
    : undefined;
  const isBuilt = go !== undefined && 'path' in go;
  const programs: readonly Program[] = [
    'kubewright',
    ...(against === undefined ? [] : ['before' as const]),
    ...(isBuilt ? ['go' as const] : []),
  ];
  await using workshop = await Workshop.open({ ...options, folder, ...(isBuilt && { go: go.path }) });
  const { values, loads, failures } = await allFigures(
    schedule(cells, programs, runs),
    (step) => workshop.measure(step),
    options,
  );
  return {
    date: new Date().toISOString(),
    machine: machine(),
    versions: { ...versionsOf(here), ...(isBuilt && go.versions) },
    runs,
    minutes: (performance.now() - begun) / 60_000,
    load: { low: Math.min(...loads), median: median(loads), high: Math.max(...loads) },
    missing: go !== undefined && 'missing' in go ? [go.missing] : [],
    failures,
    rows: rows.map((row) => ({
      ...row,
      values: Object.fromEntries(
        programs.flatMap((program) => {
          const measured = values.get(`${row.name} ${program}`);
          return measured === undefined ? [] : [[program, measured]];
        }),
      ),
    })),
  };
}

function machine(): Report['machine'] {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${systemName()} ${process.arch}`,
  };
}
function versionsOf(root: string): Report['versions'] {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  return { Kubewright: version, 'Node.js': process.versions.node };
}

/** The bundles, the load server and the data folders that the measurements use. */
class Workshop implements AsyncDisposable {
  readonly #options: RunOptions & { readonly folder: string; readonly go?: string };
  readonly #bundles = new Map<string, Promise<string>>();
  #server: LoadServerProcess | undefined;

  private constructor(options: RunOptions & { readonly folder: string; readonly go?: string }) {
    this.#options = options;
  }
  static async open(options: RunOptions & { readonly folder: string; readonly go?: string }): Promise<Workshop> {
    const { against } = options;
    if (against !== undefined && !existsSync(join(against, 'packages', 'cli', 'dist')))
      throw new Error(`${against} is not a built checkout; run npm run build in this folder`);
    return new Workshop(options);
  }

  async measure({ cell: { subject }, program }: Step): Promise<Figures> {
    const { folder, go = '', scale = 1, against = '' } = this.#options;
    const root = program === 'before' ? against : here;
    if ('webhooks' in subject) return measureWebhooks(program === 'go' ? { go } : { root }, { folder, scale });
    if ('apiserver' in subject) {
      return measureApiServer(subject.apiserver, { root, folder: join(folder, `apiserver-${program}`), scale });
    }
    const work = await this.#assigned(subject.operator);
    if (program === 'go') return figuresOf({ file: go, args: [JSON.stringify(work)] });
    const bundle = await this.#bundle(subject.operator.mode === 'start' ? 'start' : 'operator', program);
    return figuresOf({ file: process.execPath, args: ['--expose-gc', bundle, JSON.stringify(work)] });
  }

  async #assigned(full: Work): Promise<Work> {
    const { scale = 1, seconds } = this.#options;
    const work = scaled(full, { scale, seconds });
    if (work.kind === undefined) return work;
    this.#server ??= await LoadServerProcess.start();
    return this.#server.assign(work);
  }

  #bundle(name: 'operator' | 'start', program: Program): Promise<string> {
    const { folder, against = '' } = this.#options;
    const key = `${program}-${name}`;
    const known = this.#bundles.get(key);
    if (known !== undefined) return known;
    const into = join(folder, program);
    mkdirSync(into, { recursive: true });
    const bundle = bundled(name, { root: program === 'before' ? against : here, folder: into });
    this.#bundles.set(key, bundle);
    return bundle;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}

/** Returns a work with a share of its objects, events and requests, and with the duration of the churn. */
export function scaled(work: Work, { scale, seconds }: { readonly scale: number; readonly seconds: number }): Work {
  const counts = (['objects', 'count', 'warmUp'] as const).flatMap((name) => {
    const value = work[name];
    return value === undefined ? [] : [[name, Math.max(Math.min(value, 10), Math.round(value * scale))] as const];
  });
  const duration = work.mode === 'churn' ? seconds : (work.seconds ?? 0) * Math.min(1, scale);
  return {
    ...work,
    ...Object.fromEntries(counts),
    ...(work.seconds !== undefined && { seconds: duration }),
    ...(work.rate !== undefined && { rate: Math.max(100, Math.round(work.rate * scale)) }),
  };
}
