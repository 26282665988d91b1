import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Goal, type MeasuredRow, type Verdict, verdictOf } from './report.js';
import { median, medianRatio, rounded, summary } from './statistics.js';
import { table } from './table.js';

const row = (values: MeasuredRow['values'], goal?: Goal): MeasuredRow => ({
  name: 'get-1',
  title: 'CPU of a GET',
  unit: 'µs',
  section: 'Requests',
  values,
  ...(goal !== undefined && { goal }),
});

test('median returns the middle value, or the mean of the two middle values', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([10, 9, 100]), 10);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.ok(Number.isNaN(median([])));
});

test('summary returns the median and the range, and undefined without values', () => {
  assert.deepEqual(summary([3, 1, 8]), { median: 3, low: 1, high: 8 });
  assert.equal(summary([]), undefined);
});

test('medianRatio compares the values of the same run', () => {
  // The load of the second run is ten times higher. The ratio of the medians would be 0.2.
  assert.equal(medianRatio([10, 200, 20], [20, 400, 100]), 0.5);
  assert.equal(medianRatio([1, undefined], [undefined, 2]), undefined);
  assert.equal(medianRatio([1, 3], [2]), 0.5);
});

test('rounded keeps three significant digits, and no decimals from 100', () => {
  assert.deepEqual([0.012345, 1.239, 12.34, 123.4, 99_999.5].map(rounded), ['0.0123', '1.24', '12.3', '123', '100000']);
});

const verdicts: readonly (readonly [values: MeasuredRow['values'], goal: Goal | undefined, verdict: Verdict])[] = [
  [{ kubewright: [4], go: [10] }, { ratio: 0.4 }, 'holds'],
  [{ kubewright: [5], go: [10] }, { ratio: 0.4 }, 'missed'],
  [{ kubewright: [5] }, { ratio: 0.4 }, 'unknown'],
  [{ kubewright: [50] }, { limit: 50 }, 'holds'],
  [{ kubewright: [51] }, { limit: 50 }, 'missed'],
  [{ kubewright: [51] }, undefined, 'none'],
];
for (const [values, goal, verdict] of verdicts) {
  test(`the verdict of ${JSON.stringify(values)} with the goal ${JSON.stringify(goal)} is "${verdict}"`, () => {
    assert.equal(verdictOf(row(values, goal), values.kubewright?.[0]), verdict);
  });
}

test('a goal of a row in which higher values are better is a lower bound', () => {
  const gets: MeasuredRow = { ...row({ kubewright: [900] }, { limit: 1000 }), higherIsBetter: true };
  assert.equal(verdictOf(gets, 900), 'missed');
  assert.equal(verdictOf(gets, 1100), 'holds');
});

test('the table contains medians, ranges, ratios, goals and outcomes', () => {
  const rows = [
    row({ kubewright: [50, 40, 60], go: [100, 100, 120] }, { ratio: 0.35 }),
    { ...row({ kubewright: [2] }), name: 'heap', title: 'heap', unit: 'MB' },
  ];
  assert.deepEqual(table(rows, ['kubewright', 'go']).split('\n'), [
    'row    measurement      Kubewright                Go  ratio to Go  goal',
    'get-1  CPU of a GET  50 (40–60) µs  100 (100–120) µs         0.50  ≤ 0.35 × Go  MISSED',
    'heap   heap                   2 MB                 -            -',
  ]);
});

test('the table of a run without Go has a dash in the column of Go, and compares no goal', () => {
  const [, line = ''] = table([row({ kubewright: [50] }, { ratio: 0.35 })], ['kubewright', 'go']).split('\n');
  assert.match(line, /50 µs +- +- +≤ 0\.35 × Go +not compared$/);
});
