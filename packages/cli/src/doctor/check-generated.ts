import type { PlannedChanges } from '../generate/planned-changes.js';
import { type Finding, ok, warning, wrong } from './finding.js';

/** Checks that the generated files of a project are up to date. */
export function checkGenerated({ write, remove, left }: PlannedChanges): readonly Finding[] {
  const count = write.size + remove.length;
  const foreign = left.filter(({ because }) => because === 'no-header').map(({ path }) => path);
  const outdated = `${count} generated ${count === 1 ? 'file is' : 'files are'} out of date`;
  return [
    count === 0
      ? ok('generated', 'the generated files are as the sources declare')
      : wrong('generated', outdated, "run 'kubewright generate'; 'kubewright generate --check' shows how they differ"),
    ...foreign.map((path) =>
      warning(
        'generated',
        `${path} is written by hand, where a file is generated`,
        'move it away to have it generated',
      ),
    ),
  ];
}
