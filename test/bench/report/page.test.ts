import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allRows } from '../cells.js';
import { page, writePage } from './page.js';
import { plot } from './plot.js';
import type { MeasuredRow, Report } from './report.js';

const get: MeasuredRow = {
  name: 'get-1',
  title: 'CPU of a GET & more',
  unit: 'µs',
  section: 'Requests',
  goal: { ratio: 0.35 },
  values: { kubewright: [50, 40, 60], go: [100, 100, 120] },
};
const start: MeasuredRow = {
  name: 'start',
  title: 'CPU from the start',
  unit: 'ms',
  section: 'Start',
  values: { kubewright: [150], go: [50] },
};
const fanOut: MeasuredRow = {
  name: 'fan-out',
  title: 'CPU per delivered event',
  unit: 'µs',
  section: 'Server',
  goal: { limit: 10 },
  values: { kubewright: [5] },
};
const report = (rows: readonly MeasuredRow[]): Report => ({
  date: '2030-01-02T03:04:05.000Z',
  machine: { cpu: 'Example CPU', cores: 2, memoryGigabytes: 8, system: 'Linux x64' },
  versions: { Kubewright: '0.1.0', 'Node.js': '20.20.2', 'controller-runtime': 'v0.25.2' },
  runs: 3,
  minutes: 12.3,
  load: { low: 1, median: 1.5, high: 4 },
  missing: [],
  failures: [],
  rows,
});

test('a plot has a bar with the length of each median, a dot per run, and the line of the goal', () => {
  const svg = plot(get);
  assert.match(svg, /<title>CPU of a GET &amp; more \(get-1\)<\/title>/);
  const widths = [...svg.matchAll(/<rect class="(?:kubewright|go)" [^>]*width="([\d.]+)"/g)].map(([, width]) => width);
  // The area from 0 to 120 µs is 410 wide.
  assert.deepEqual(widths, [((50 / 120) * 410).toFixed(1), ((100 / 120) * 410).toFixed(1)]);
  assert.equal([...svg.matchAll(/class="run"/g)].length, 6);
  assert.match(svg, /<line class="goal" x1="229\.6"/);
  assert.match(svg, />goal ≤ 0\.35 × Go</);
});

test('a plot loads no resources and is readable in dark mode', () => {
  const svg = plot(fanOut);
  assert.match(svg, /prefers-color-scheme: dark/);
  assert.doesNotMatch(svg, /<script|href=|url\(/);
  assert.doesNotMatch(svg, />Go</);
});

test('the page states the machine, the versions, the load, the outcome of the goals, and where Go is ahead', () => {
  const text = page(report([get, start, fanOut]));
  for (const part of [
    'Example CPU, 2 cores, 8 GiB of memory, Linux x64',
    'Node.js 20.20.2, controller-runtime v0.25.2',
    '3 runs on 2030-01-02, 12 minutes, with a load average between 1.0 and 4.0 (median 1.5)',
    'The project has 2 goals for the 3 rows. Kubewright meets 1 goal, and misses 1 goal.',
    '## Where Go is ahead\n\n- CPU from the start: 3.00 times the value of Go\n',
    '![CPU of a GET & more: Kubewright: 50 µs, Go: 100 µs](performance/get-1.svg)',
  ]) {
    assert.ok(text.includes(part), part);
  }
  assert.ok(!text.includes(hostname()));
  assert.ok(!text.includes('performance/fan-out.svg'));
  assert.ok(!text.includes('Other programs used the machine'));
  const busy = page({ ...report([get]), load: { low: 1, median: 9, high: 20 } });
  assert.match(busy, /^Other programs used the machine during this run \(a load average of 9\.0 on 2 cores\)\./m);
  assert.match(page(report([fanOut])), /^Go was not measured\.$/m);
  assert.match(page(report([get])), /^In no measured row is Go ahead\.$/m);
});

test('writePage writes the page and the plots, and removes the plots of an earlier report', () => {
  const root = mkdtempSync(join(tmpdir(), 'kubewright-page-'));
  try {
    const folder = join(root, 'docs', 'reference');
    writePage(report([get, start]), root);
    assert.deepEqual(readdirSync(join(folder, 'performance')).toSorted(), ['get-1.svg', 'start.svg']);
    writePage(report([get, fanOut]), root);
    assert.deepEqual(readdirSync(join(folder, 'performance')), ['get-1.svg']);
    assert.equal(readFileSync(join(folder, 'performance.md'), 'utf8'), page(report([get, fanOut])));
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('the page of the documentation contains every row once, and has a plot for each link', () => {
  const folder = fileURLToPath(new URL('../../../../docs/reference/', import.meta.url));
  const text = readFileSync(join(folder, 'performance.md'), 'utf8');
  const names = [...text.matchAll(/\| `([\w-]+)` +\|$/gm)].map(([, name = '']) => name);
  assert.deepEqual(
    names.toSorted(),
    allRows()
      .map(({ name }) => name)
      .toSorted(),
  );
  const linked = [...text.matchAll(/\]\(performance\/(.+?)\)$/gm)].map(([, name = '']) => name);
  assert.deepEqual(linked.toSorted(), readdirSync(join(folder, 'performance')).toSorted());
});
