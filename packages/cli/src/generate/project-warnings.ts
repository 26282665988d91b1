import { sampleProblems } from '../manifests/samples/sample-problems.js';
import { shortNameClashes } from '../manifests/short-name-clashes.js';
import { configFiles } from '../project/config-files.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';

/** Warnings about declarations of a project that are probably unintended, and about invalid samples, one sentence each. */
export interface ProjectWarnings {
  /** Warnings about kinds and RBAC rules. */
  readonly kinds: readonly string[];
  /** Warnings about files in config/samples that an API server would reject. */
  readonly samples: readonly string[];
}

/** Returns the warnings about the declarations of a project and about the current files in config. */
export async function projectWarnings(
  { root }: Project,
  { warnings, crds, externalCrds }: InspectedProject,
): Promise<ProjectWarnings> {
  return {
    kinds: [...warnings, ...(await shortNameClashes(crds))],
    samples: sampleProblems(await configFiles(root), [...crds, ...externalCrds]),
  };
}
