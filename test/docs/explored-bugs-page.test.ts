import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Oracle } from '@kubewright/testing';
import { allBugs } from '../explore/bugs/all-bugs.js';
import { bugRows, PAGE } from './bugs-page.js';

const rows = bugRows(readFileSync(PAGE, 'utf8'));

test('the page about explored bugs lists every bug with a rule that the bug violates', () => {
  const renew = 'if the change is intended, run: node scripts/explored-bugs.mjs';
  assert.deepEqual(
    rows.map(({ name, mechanism }) => [name, mechanism]),
    allBugs.map(({ name, mechanism = '–' }) => [name, mechanism]),
    renew,
  );
  const notFound = allBugs.filter((bug, at) => !bug.violates.includes(rows[at]?.rule as Oracle));
  assert.deepEqual(
    notFound.map(({ name }) => name),
    [],
  );
});

test('the names of the bugs are unique', () => {
  assert.equal(new Set(allBugs.map(({ name }) => name)).size, allBugs.length);
});
