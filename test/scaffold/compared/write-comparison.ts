// Called by scripts/compare-scaffolds.mjs: updates the counts in the page. With the path of a kubebuilder repository and the record of a
// run of both workflows, it also updates the counts and times of kubebuilder.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { countedText } from './comparison.js';
import { countProject } from './counted-project.js';
import { kubebuilderCounting, kubebuilderProject } from './kubebuilder-project.js';
import { renewPage } from './renew-page.js';
import type { ScaffoldTimes } from './scaffold-times.js';

const [repository, record] = process.argv.slice(2);
if (repository !== undefined && record !== undefined) {
  const { scaffold, finished } = kubebuilderProject(repository);
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: repository, encoding: 'utf8' });
  const counts = countProject(scaffold, finished, kubebuilderCounting);
  const { times } = JSON.parse(readFileSync(record, 'utf8')) as { readonly times: ScaffoldTimes };
  const { path, text } = countedText({ commit: stdout.trim(), counts, times });
  writeFileSync(path, text);
}
process.stdout.write(`${await renewPage()}\n`);
