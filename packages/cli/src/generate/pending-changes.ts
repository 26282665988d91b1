import { manifestsOf } from '../manifests/manifests-of.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';
import { type PlannedChanges, plannedChanges } from './planned-changes.js';

/** What of the generated files of a project is to change, by what it declares. Nothing is written. */
export function pendingChanges(
  { root, settings }: Project,
  { crds, operator, rights }: InspectedProject,
): Promise<PlannedChanges> {
  return plannedChanges(root, manifestsOf({ settings, crds, operator, rights }));
}
