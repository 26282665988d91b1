import type { PlannedChanges } from '../generate/planned-changes.js';
import { type Finding, ok, warning, wrong } from './finding.js';

/** Checks that the generated files of a project are up to date. Warns about files of the user at the paths of generated files. */
export function checkGenerated({ write, remove, skipped }: PlannedChanges): readonly Finding[] {
  const count = write.size + remove.length;
  const foreign = skipped.filter(({ reason }) => reason === 'no-header').map(({ path }) => path);
  const outdated = `${count} generated ${count === 1 ? 'file is' : 'files are'} out of date`;
  return [
    count === 0
      ? ok('generated', 'the generated files are up to date')
      : wrong('generated', outdated, "run 'kubewright generate'; 'kubewright generate --check' prints the differences"),
    ...foreign.map((path) =>
      warning(
        'generated',
        `${path} is not a generated file, but 'kubewright generate' would generate a file with this path`,
        "move the file away, and run 'kubewright generate'",
      ),
    ),
  ];
}
