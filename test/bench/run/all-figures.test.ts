import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CELLS } from '../cells.js';
import { allFigures } from './all-figures.js';
import { schedule } from './schedule.js';

const cells = CELLS.filter(({ name }) => name === 'queue' || name === 'get-16');

test('the values have the order of the runs, although every second run has the programs in reverse order', async () => {
  let measured = 0;
  const measure = async () => ({ micros: measured++ });
  const { values, failures, loads } = await allFigures(schedule(cells, ['kubewright', 'go'], 2), measure, { runs: 2 });
  assert.deepEqual(Object.fromEntries(values), {
    'get-16 kubewright': [0, 5],
    'get-16 go': [1, 4],
    'queue kubewright': [2, 7],
    'queue go': [3, 6],
  });
  assert.deepEqual([failures, loads.length], [[], 8]);
});

test('a failed measurement is reported, and the other measurements have values', async () => {
  const lines: string[] = [];
  const { values, failures } = await allFigures(
    schedule(cells, ['kubewright'], 2),
    async ({ cell, run }) => {
      if (cell.name === 'queue' && run === 0) throw new Error('no memory');
      return { micros: run };
    },
    { runs: 2, onProgress: (line) => lines.push(line) },
  );
  assert.deepEqual(Object.fromEntries(values), {
    'get-16 kubewright': [0, 1],
    'queue kubewright': [undefined, 1],
  });
  const failure = 'queue of kubewright failed in run 1: no memory';
  assert.deepEqual(failures, [failure]);
  assert.deepEqual(lines.slice(0, 3), ['run 1 of 2: get-16, kubewright', 'run 1 of 2: queue, kubewright', failure]);
});

test('no measurement begins after an interruption, and an interrupted measurement is not a failure', async () => {
  for (const [isFailing, values] of [
    [false, { 'get-16 kubewright': [7, undefined] }],
    [true, {}],
  ] as const) {
    const interrupted = new AbortController();
    const measure = async () => {
      interrupted.abort();
      if (isFailing) throw new Error('ended with SIGINT');
      return { micros: 7 };
    };
    const steps = schedule(cells, ['kubewright'], 2);
    const result = await allFigures(steps, measure, { runs: 2, signal: interrupted.signal });
    assert.deepEqual([Object.fromEntries(result.values), result.failures], [values, []]);
  }
});
