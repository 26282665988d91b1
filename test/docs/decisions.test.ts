import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { markdownPages } from './markdown-pages.js';

const decisions = markdownPages().filter(({ path }) => /^docs\/decisions\/\d/.test(path));

test('the decisions are numbered without gaps or repetitions, in the file name and in the heading', () => {
  const numbers = decisions.map(({ path }) => Number(basename(path).slice(0, 4))).toSorted((a, b) => a - b);
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 1),
  );
  for (const { path, text } of decisions) {
    assert.equal(
      /^# (?<number>\d+)\. /.exec(text)?.groups?.['number'],
      String(Number(basename(path).slice(0, 4))),
      path,
    );
  }
});
