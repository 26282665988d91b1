import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cell } from '../cells.js';
import { CELLS, allRows, selectRows } from '../cells.js';
import { parseOptions } from '../options.js';
import { scaled } from './bench-run.js';
import { buildGoProgram } from './go-program.js';
import { schedule } from './schedule.js';

const cell = (name: string, more: Partial<Cell> = {}): Cell => ({
  name,
  subject: { operator: { mode: 'queue' } },
  inGo: true,
  rows: {},
  ...more,
});
const steps = (cells: readonly Cell[], runs: number): readonly string[] =>
  schedule(cells, ['kubewright', 'go'], runs).map((step) => `${step.run} ${step.cell.name} ${step.program}`);

test('a run measures each cell with all programs one after the other, and every second run in reverse order', () => {
  assert.deepEqual(steps([cell('a'), cell('b')], 2), [
    '0 a kubewright',
    '0 a go',
    '0 b kubewright',
    '0 b go',
    '1 a go',
    '1 a kubewright',
    '1 b go',
    '1 b kubewright',
  ]);
});

test('Go does not measure cells without a counterpart, and cells that run once are only in the first run', () => {
  assert.deepEqual(steps([cell('a', { inGo: false }), cell('b', { once: true })], 2), [
    '0 a kubewright',
    '0 b kubewright',
    '0 b go',
    '1 a kubewright',
  ]);
});

test('the names of cells and rows are unique, and every row has a section', () => {
  const names = allRows().map(({ name }) => name);
  assert.ok(names.length > 50);
  assert.deepEqual(names, [...new Set(names)]);
  assert.equal(new Set(CELLS.map(({ name }) => name)).size, CELLS.length);
  assert.deepEqual(
    allRows().filter(({ section }) => section === ''),
    [],
  );
});

test('a name selects its row and the rows that begin with the name and a hyphen, in the order of the cells', () => {
  const named = (...names: readonly string[]): readonly string[] => selectRows(names).map(({ name }) => name);
  assert.deepEqual(named('patch-1', 'get-16'), ['get-16', 'patch-1']);
  assert.deepEqual(named('get'), ['get-1', 'get-16', 'get-64']);
  assert.deepEqual(named('watch'), ['watch-cr', 'watch-pod']);
  assert.equal(named().length, allRows().length);
  assert.throws(() => named('get', 'gets'), /^Error: unknown row "gets"; the rows are sync-cr-1k, /);
});

test('the arguments have defaults, and a number that is not a positive integer is rejected', () => {
  assert.deepEqual(parseOptions(['get', '--peers']), {
    names: ['get'],
    peers: true,
    list: false,
    runs: 5,
    seconds: 300,
  });
  assert.equal(parseOptions(['--json', 'a.json']).json, join(process.cwd(), 'a.json'));
  for (const args of [['--runs', '0'], ['--runs', 'x'], ['--seconds', '1.5'], ['--other']]) {
    assert.throws(() => parseOptions(args), Error);
  }
});

test('a share of a work has at least 10 objects, and the duration of the churn does not depend on the share', () => {
  const work = { mode: 'churn', objects: 100_000, rate: 5000, seconds: 300 } as const;
  assert.deepEqual(scaled(work, { scale: 1, seconds: 300 }), work);
  assert.deepEqual(scaled(work, { scale: 0.01, seconds: 60 }), { ...work, objects: 1000, rate: 100, seconds: 60 });
  assert.equal(scaled({ mode: 'start', objects: 10, seconds: 4 }, { scale: 0.5, seconds: 60 }).seconds, 2);
  assert.equal(scaled({ mode: 'start', objects: 10 }, { scale: 0.01, seconds: 60 }).objects, 10);
});

test('without Go, or if the build fails, the Go program is missing, and the reason states why', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-go-'));
  try {
    assert.deepEqual(buildGoProgram(folder, folder, { PATH: folder }), {
      missing: 'Go is not measured, because go is not on PATH',
    });
    writeFileSync(join(folder, 'go'), '#!/bin/sh\necho no network >&2\nexit 1\n', { mode: 0o755 });
    assert.deepEqual(buildGoProgram(folder, folder, { PATH: folder }), {
      missing: 'Go is not measured, because the build failed: no network',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
