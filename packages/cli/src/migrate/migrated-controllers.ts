import type { GoProject } from './go-project.js';
import type { KubebuilderProject } from './kubebuilder-project.js';
import { type MigratedController, migratedController } from './migrated-controller.js';
import type { MigratedKinds } from './migrated-kinds.js';
import { type DesiredController, desiredControllers } from './desired-controllers.js';

/** The controllers of a migration, and the tasks that the user must complete manually. */
export interface MigratedControllers {
  readonly controllers: readonly MigratedController[];
  readonly tasks: readonly string[];
}

/**
 * Creates the controllers of a migration. Preserves all permissions in the Go sources: the first controller declares the permissions of
 * sources without a controller, and a task suggests moving these permissions.
 */
export function migratedControllers(
  project: KubebuilderProject,
  kinds: MigratedKinds,
  go: GoProject,
): MigratedControllers {
  const { controllers: desired, tasks } = desiredControllers(project, kinds, go);
  const created = new Set(desired.flatMap((each) => filesOf(each)));
  const unplaced = [...go.markers].filter(([file]) => !created.has(file));
  const reported = new Set<string>();
  const controllers = desired.map((each, at) => {
    const files = filesOf(each).filter((file) => !reported.has(file));
    for (const file of files) reported.add(file);
    const own = files.flatMap((file) => go.markers.get(file) ?? []);
    const others = at === 0 ? unplaced.flatMap(([, markers]) => markers) : [];
    return migratedController(each, { project, kinds, go, markers: [...own, ...others] });
  });
  const [first] = controllers;
  const moves = unplaced.map(([file]) =>
    first === undefined
      ? `declare the permissions of ${file} with @Rbac on a controller`
      : `move the permissions of ${file}, which @Rbac in ${first.path} declares, to the controller that needs them`,
  );
  return { controllers, tasks: [...controllers.flatMap((each) => each.tasks), ...tasks, ...moves] };
}

/** Returns the paths of the Go sources of a controller. */
function filesOf({ go }: DesiredController): readonly string[] {
  return go === undefined ? [] : [...new Set([go.file, go.setupFile])];
}
