import { sampleProblems } from '../manifests/samples/sample-problems.js';
import { shortNameClashes } from '../manifests/short-name-clashes.js';
import { configFiles } from '../project/config-files.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';

/** What works in a project, but is probably not as its author means it: one sentence each. */
export interface ProjectWarnings {
  /** About kinds and the RBAC rules. */
  readonly kinds: readonly string[];
  /** About the files in config/samples, which an API server would refuse. */
  readonly samples: readonly string[];
}

/** Returns the warnings about a project, whose files in config are read as they are now. */
export async function projectWarnings(
  { root }: Project,
  { warnings, crds, externalCrds }: InspectedProject,
): Promise<ProjectWarnings> {
  return {
    kinds: [...warnings, ...(await shortNameClashes(crds))],
    samples: sampleProblems(await configFiles(root), [...crds, ...externalCrds]),
  };
}
