import { manifestsInput } from '../manifests/manifests-input.js';
import { manifestsOf } from '../manifests/manifests-of.js';
import type { InspectedProject } from '../project/inspected-project.js';
import type { Project } from '../project/project.js';
import { type PlannedChanges, plannedChanges } from './planned-changes.js';

/** Returns the changes of generated files that `kubewright generate` would write for the declarations of a project. */
export function pendingChanges({ root, settings }: Project, declared: InspectedProject): Promise<PlannedChanges> {
  return plannedChanges(root, manifestsOf(manifestsInput(settings, declared)));
}
