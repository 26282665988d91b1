import type { ApiServerMeasure } from './apiserver.js';
import type { LoadKind } from './load/objects.js';
import type { Figures, Work } from './operator/work.js';
import type { Goal, Row } from './report/report.js';
import { webhookRows } from './webhooks.js';

/** A row without the name of its figure. */
type RowOf = readonly [name: string, title: string, unit: string, goal?: Goal | undefined];

/** One start of a measured program. Its figures fill one or more rows. */
export interface Cell {
  readonly name: string;
  /** What the program does: an operator on the load server, the embedded server, or an operator with webhooks. */
  readonly subject:
    | { readonly operator: Work }
    | { readonly apiserver: ApiServerMeasure }
    | { readonly webhooks: 'all' };
  /** Whether Go is measured as well. */
  readonly inGo: boolean;
  /** Whether the cell is measured only in the first run. @default false */
  readonly once?: boolean;
  /** The rows, by the name of the figure. */
  readonly rows: Readonly<Record<keyof Figures, Row>>;
}

function rowsOf(rows: Readonly<Record<string, RowOf>>): Cell['rows'] {
  return Object.fromEntries(
    Object.entries(rows).map(([figure, [name, title, unit, goal]]) => [
      figure,
      { name, title, unit, section: '', ...(goal !== undefined && { goal }) },
    ]),
  );
}
function operator(name: string, work: Work, rows: Readonly<Record<string, RowOf>>): Cell {
  return { name, subject: { operator: work }, inGo: true, rows: rowsOf(rows) };
}
function apiserver(measure: ApiServerMeasure, rows: Readonly<Record<string, RowOf>>): Cell {
  return { name: `apiserver-${measure}`, subject: { apiserver: measure }, inGo: false, rows: rowsOf(rows) };
}
/** Returns the cells with a heading for their rows. */
function inSection(section: string, cells: readonly Cell[]): readonly Cell[] {
  return cells.map((cell) => ({
    ...cell,
    rows: Object.fromEntries(Object.entries(cell.rows).map(([figure, row]) => [figure, { ...row, section }])),
  }));
}
const ratio = (value: number): Goal => ({ ratio: value });
const limit = (value: number): Goal => ({ limit: value });

const SHORT: Readonly<Record<LoadKind, string>> = { webservices: 'cr', pods: 'pod' };
const LONG: Readonly<Record<LoadKind, string>> = { webservices: 'custom resource', pods: 'Pod' };
const THOUSAND = 1000;

interface SyncGoals {
  readonly heap: number;
  readonly peak: number;
  readonly sync: Readonly<Record<number, number>>;
  readonly watch: number;
  readonly events: number;
}
function syncs(kind: LoadKind, goals: SyncGoals): readonly Cell[] {
  const [short, long] = [SHORT[kind], LONG[kind]];
  return [1, 10, 100].map((thousands) => {
    const objects = thousands * THOUSAND;
    const goal = goals.sync[thousands];
    const sync: RowOf = [
      `sync-${short}-${thousands}k`,
      `CPU to sync a ${long}, ${thousands}k objects`,
      'µs',
      goal === undefined ? undefined : ratio(goal),
    ];
    if (thousands < 100) return operator(sync[0], { mode: 'sync', kind, objects }, { syncMicros: sync });
    const work: Work = { mode: 'sync', kind, objects, warmUp: goals.events / 4, count: goals.events };
    return operator(sync[0], work, {
      heapBytes: [`heap-${short}`, `heap per cached ${long}`, 'B', ratio(goals.heap)],
      peakMegabytes: [
        `peak-rss-${short}`,
        `peak memory (RSS) of the sync of ${thousands}k ${long}s`,
        'MB',
        ratio(goals.peak),
      ],
      syncMicros: sync,
      eventMicros: [`watch-${short}`, `CPU from a watch event of a ${long} to the queue`, 'µs', ratio(goals.watch)],
    });
  });
}

const CONCURRENCIES = [1, 16, 64];
const REQUEST_GOALS = { get: 0.35, patch: 0.4 } as const;

const requests = (['get', 'patch'] as const).flatMap((verb) =>
  CONCURRENCIES.map((concurrency) =>
    operator(
      `${verb}-${concurrency}`,
      { mode: 'requests', kind: 'webservices', objects: 5000, verb, concurrency, warmUp: 3000, count: 12_000 },
      {
        micros: [
          `${verb}-${concurrency}`,
          `CPU of a ${verb.toUpperCase()} of a custom resource, concurrency ${concurrency}`,
          'µs',
          ratio(REQUEST_GOALS[verb]),
        ],
      },
    ),
  ),
);
const reconciles = CONCURRENCIES.map((concurrency) =>
  operator(
    `reconcile-${concurrency}`,
    { mode: 'reconciles', kind: 'webservices', objects: 10_000, concurrency, warmUp: 3000, count: 10_000 },
    {
      micros: [
        `reconcile-${concurrency}`,
        `CPU of a reconcile with a status patch, concurrency ${concurrency}`,
        'µs',
        ratio(0.4),
      ],
    },
  ),
);
const reads = [
  operator(
    'reads-cr',
    { mode: 'reads', kind: 'webservices', objects: 10_000, count: 500_000 },
    {
      getMicros: ['cached-get-cr', 'CPU of a cached get of a custom resource', 'µs', ratio(0.05)],
      listMicros: ['cached-list-cr', 'CPU of a cached list of 10k custom resources', 'µs', ratio(0.005)],
    },
  ),
  operator(
    'reads-pod',
    { mode: 'reads', kind: 'pods', objects: 2000, count: 500_000 },
    { getMicros: ['cached-get-pod', 'CPU of a cached get of a Pod', 'µs', ratio(0.05)] },
  ),
];
const starts = [1, 10, 100].map((kinds) => {
  const [suffix, of] = kinds === 1 ? ['', 'one kind'] : [`-${kinds}-kinds`, `${kinds} kinds`];
  const [cpu, rss] = kinds === 1 ? [ratio(4), ratio(1.8)] : [];
  return operator(
    `start${suffix}`,
    { mode: 'start', kind: 'webservices', objects: 10, kinds, seconds: 4 },
    {
      cpuMs: [`start${suffix}`, `CPU from the start to synced caches, bundled, ${of}`, 'ms', cpu],
      rssMegabytes: [`idle-rss${suffix}`, `memory (RSS) of the idle operator, ${of}`, 'MB', rss],
    },
  );
});

const events = [
  operator(
    'event-1k',
    { mode: 'latency', kind: 'webservices', objects: 2000, rate: 1000, warmUp: 3000, count: 4000 },
    {
      p50Ms: ['event-p50', 'delay from an event to its reconcile at 1,000 events/s, median', 'ms', ratio(0.5)],
      p99Ms: ['event-p99', 'delay from an event to its reconcile at 1,000 events/s, 99th percentile', 'ms', ratio(1)],
      eventMicros: ['event-cpu', 'CPU from an event to its reconcile at 1,000 events/s', 'µs'],
    },
  ),
  operator(
    'event-10k',
    { mode: 'latency', kind: 'webservices', objects: 10_000, rate: 10_000, warmUp: 20_000, count: 30_000 },
    {
      p99Ms: ['event-10k-p99', 'delay from an event to its reconcile at 10,000 events/s, 99th percentile', 'ms'],
      eventMicros: ['event-10k-cpu', 'CPU from an event to its reconcile at 10,000 events/s', 'µs'],
    },
  ),
];
const queue = operator(
  'queue',
  { mode: 'queue', warmUp: 100_000, count: 1_000_000 },
  { micros: ['queue', 'CPU to add a key to the queue, get it, and finish it', 'µs', ratio(0.5)] },
);
const pages = operator(
  'pages-pod',
  { mode: 'pages', kind: 'pods', objects: 10_000 },
  { micros: ['pages-pod', 'CPU of a live list in pages of 500, per Pod', 'µs', ratio(0.8)] },
);
const churn: Cell = {
  ...operator(
    'churn',
    { mode: 'churn', kind: 'webservices', objects: 100_000, rate: 5000, seconds: 300 },
    {
      heapRatio: [
        'churn-heap',
        'heap after 5,000 events/s for minutes, divided by the heap before',
        'times',
        limit(1.05),
      ],
      delayP99Ms: [
        'loop-delay-p99',
        'delay of the event loop, 100k objects, 5,000 events/s, 99th percentile',
        'ms',
        limit(10),
      ],
      delayMaxMs: ['loop-delay-max', 'delay of the event loop, 100k objects, 5,000 events/s, maximum', 'ms', limit(50)],
      eventMicros: ['churn-cpu', 'CPU per event at 5,000 events/s', 'µs'],
    },
  ),
  inGo: false,
  once: true,
};

/** The cells in the order in which a run measures them. Five runs with Go take less than 40 minutes on two idle cores. */
export const CELLS: readonly Cell[] = [
  ...inSection('Lists, watches and the cache', [
    ...syncs('webservices', { heap: 0.35, peak: 0.45, sync: { 10: 0.15, 100: 0.15 }, watch: 0.18, events: 20_000 }),
    ...syncs('pods', { heap: 0.22, peak: 0.2, sync: { 10: 0.75, 100: 0.5 }, watch: 0.6, events: 8000 }),
    ...reads,
    pages,
  ]),
  ...inSection('Requests', requests),
  ...inSection('Reconciles', [...reconciles, ...events, queue]),
  ...inSection('Start and idle', starts),
  ...inSection('Five minutes of changes', [churn]),
  ...inSection('Embedded API server', [
    apiserver('start', {
      loadedMs: [
        'apiserver-ready',
        'embedded server: time to ready in a loaded process, 1,000 objects',
        'ms',
        limit(300),
      ],
      shellMs: ['apiserver-shell', 'embedded server: time to ready from the shell, 1,000 objects', 'ms', limit(1000)],
      cpuMs: ['apiserver-cpu', 'embedded server: CPU to ready from the shell, 1,000 objects', 'ms', limit(400)],
      rssMegabytes: ['apiserver-rss', 'embedded server: memory (RSS) when ready, 1,000 objects', 'MB', limit(90)],
    }),
    apiserver('requests', {
      createMicros: ['apiserver-create', 'embedded server: CPU of a create, 16 connections', 'µs', limit(400)],
      getMicros: ['apiserver-get', 'embedded server: CPU of a GET, 16 connections', 'µs'],
      getPerSecond: ['apiserver-gets', 'embedded server: GETs per second, 16 connections', '/s'],
      listMs: ['apiserver-list-1k', 'embedded server: CPU of a list of 1,000 objects', 'ms', limit(5)],
      durableMicros: ['apiserver-durable', 'embedded server: CPU of a create with --data, 16 connections', 'µs'],
    }),
    apiserver('large', {
      restartMs: ['apiserver-restart', 'embedded server: time to ready with 100k objects on disk', 'ms'],
      rssMegabytes: ['apiserver-rss-100k', 'embedded server: memory (RSS) with 100k objects', 'MB'],
      listMs: ['apiserver-list-100k', 'embedded server: CPU of a list of 100k objects', 'ms'],
      blockedMs: ['apiserver-blocked', 'embedded server: slowest GET during a list of 100k objects', 'ms', limit(50)],
    }),
    apiserver('fan-out', {
      eventMicros: ['apiserver-fan-out', 'embedded server: CPU per delivered event, 100 watches', 'µs'],
    }),
  ]),
  ...inSection('Webhooks', [{ name: 'webhooks', subject: { webhooks: 'all' }, inGo: true, rows: webhookRows() }]),
];

/** The rows of all cells, in order. */
export function allRows(cells: readonly Cell[] = CELLS): readonly Row[] {
  return cells.flatMap(({ rows }) => Object.values(rows));
}

/**
 * Returns the rows with the given names, in the order of the cells. A name also selects the rows that begin with this name and a hyphen,
 * for example `sync` or `sync-cr`. Without names, returns all rows. Throws an error with all names if a name selects no row.
 */
export function selectRows(names: readonly string[], rows = allRows()): readonly Row[] {
  if (names.length === 0) return rows;
  const isSelected = (row: Row, name: string): boolean => row.name === name || row.name.startsWith(`${name}-`);
  const unknown = names.filter((name) => !rows.some((row) => isSelected(row, name)));
  if (unknown.length > 0) {
    const known = rows.map(({ name }) => name).join(', ');
    throw new Error(
      `unknown ${unknown.length === 1 ? 'row' : 'rows'} "${unknown.join('", "')}"; the rows are ${known}`,
    );
  }
  return rows.filter((row) => names.some((name) => isSelected(row, name)));
}
