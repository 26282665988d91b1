// Called by scripts/compare-scaffolds.mjs: writes the counts into the page anew. With the path of a repository of kubebuilder it counts
// that again too.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { countedText } from './comparison.js';
import { countProject } from './counted-project.js';
import { kubebuilderCounting, kubebuilderProject } from './kubebuilder-project.js';
import { renewPage } from './renew-page.js';

const [repository] = process.argv.slice(2);
if (repository !== undefined) {
  const { scaffold, finished } = kubebuilderProject(repository);
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: repository, encoding: 'utf8' });
  const counts = countProject(scaffold, finished, kubebuilderCounting);
  const { path, text } = countedText({ commit: stdout.trim(), counts });
  writeFileSync(path, text);
}
process.stdout.write(`${await renewPage()}\n`);
