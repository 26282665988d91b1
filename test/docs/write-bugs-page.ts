// Called by scripts/explored-bugs.mjs: explores every bug, and rewrites the table of the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { allBugs } from '../explore/bugs/all-bugs.js';
import { exploreBug } from '../explore/bugs/explore-bug.js';
import { type FoundBug, PAGE, pageWith } from './bugs-page.js';

/** The maximum number of trials of each exploration. */
const TRIALS = 300;

const found: FoundBug[] = [];
for (const bug of allBugs) {
  const before = process.cpuUsage();
  const { findings, trials } = await exploreBug(bug, false, { trials: TRIALS, problems: 1 });
  const { user, system } = process.cpuUsage(before);
  const finding = findings.find(({ oracle }) => bug.violates.includes(oracle));
  const result = {
    bug,
    oracle: finding?.oracle,
    trials,
    seconds: (user + system) / 1_000_000,
    steps: finding?.trial.steps.length ?? 0,
  };
  found.push(result);
  console.log(`${bug.name}: ${result.oracle ?? 'not found'}, ${trials} trials, ${result.seconds.toFixed(1)} s`);
}
writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), found));
