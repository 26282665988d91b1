import type { Permission } from '@kubewright/api/rbac';
import { moduleFrom } from '../add/change-main.js';
import { controllerClass, namedControllerPath } from '../add/controller-names.js';
import { controllerSkeleton, controllerSkeletonTest, type SkeletonOptions } from '../add/controller-skeleton.js';
import { call, type Code } from '../crd-classes/code.js';
import { objectLiteral, Verbatim } from '../crd-classes/literal.js';
import type { GoController } from './go-controller.js';
import type { GoProject } from './go-project.js';
import type { GoType } from './go-setup.js';
import type { KubebuilderProject } from './kubebuilder-project.js';
import type { MigratedKind, MigratedKinds } from './migrated-kinds.js';
import { type RbacMarker, remainingMarkers } from './rbac-marker.js';
import type { DesiredController } from './desired-controllers.js';

/** The source files of a migrated controller. */
export interface MigratedController {
  readonly className: string;
  /** The path of the controller's source. */
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
  readonly created: string;
  readonly tasks: readonly string[];
}

/** The migrated project, and the RBAC markers for a controller. */
export interface MigrationContext {
  readonly project: KubebuilderProject;
  readonly kinds: MigratedKinds;
  readonly go: GoProject;
  /** The RBAC markers whose permissions the controller declares with `@Rbac`. */
  readonly markers: readonly RbacMarker[];
}

/**
 * Creates a controller skeleton, and a test if the kind has a sample. The skeleton declares the same kinds, finalizer, and permissions as
 * the Go controller. The result also contains the tasks that the user must complete manually.
 */
export function migratedController(desired: DesiredController, context: MigrationContext): MigratedController {
  const { name, kind, go } = desired;
  const path = namedControllerPath(name);
  const className = controllerClass(name);
  const owns = watchedKinds(go?.owns ?? [], path, context);
  const watches = watchedKinds(go?.watches ?? [], path, context);
  const finalizer = finalizerOf(go, context.go);
  const { project, markers } = context;
  const permissions = remainingMarkers(markers, {
    declared: declaredPermissions(kind, owns.kinds, watches.kinds),
    ...(project.namespaced && { ownNamespace: `${project.name}-system` }),
  });
  const skeleton: SkeletonOptions = {
    className,
    kindClass: kind.className,
    from: sourceFrom(path, kind),
    kind: kind.kind,
    imports: importsOf(path, { owns: owns.kinds, watches: watches.kinds, permissions }),
    options: {
      ...(owns.kinds.length > 0 && { owns: owns.kinds.map((each) => new Verbatim(each.className)) }),
      ...(watches.kinds.length > 0 && {
        watches: watches.kinds.map((each) => new Verbatim(`watch(${each.className}, { map: () => [] })`)),
      }),
      ...(finalizer.name !== undefined && { finalizer: finalizer.name }),
      ...(isGuest(desired) && { reconcileCondition: false }),
    },
    decorators: permissions.map(rbacDecorator),
    finalizes: finalizer.exists,
  };
  return {
    className,
    path,
    files: new Map([[path, controllerSkeleton(skeleton)], ...testOf(path, skeleton, kind)]),
    created: `${className}, for ${kind.kind}: ${path}`,
    tasks: [
      go === undefined
        ? `implement ${className} in ${path}`
        : `migrate the code of ${go.file} (${linesOf(go)}) to ${path}`,
      ...owns.tasks,
      ...watches.tasks,
      ...(go?.hasMore === true
        ? [`declare in ${path} the kinds that ${go.file} owns or watches through variables`]
        : []),
      ...mapTasks(path, watches.kinds),
      ...finalizer.tasks.map((task) => `${task} in ${path}`),
    ],
  };
}

/** Reports whether another controller sets the condition `Reconciled` on objects of the kind. */
function isGuest({ kind, isFirst }: DesiredController): boolean {
  return kind.origin === 'external' || (kind.origin === 'own' && !isFirst);
}

function linesOf({ lines }: GoController): string {
  return lines === 1 ? 'one line' : `${lines} lines`;
}

/** Returns the kinds that correspond to Go types, and a task for each type whose kind is unknown. */
function watchedKinds(
  types: readonly GoType[],
  path: string,
  { kinds }: MigrationContext,
): { readonly kinds: readonly MigratedKind[]; readonly tasks: readonly string[] } {
  const all = types.map((type) => ({ type, kind: kinds.ofType(type) }));
  return {
    kinds: all.flatMap(({ kind }) => kind ?? []),
    tasks: all
      .filter(({ kind }) => kind === undefined)
      .map(
        ({ type }) =>
          `declare in ${path} that the controller watches ${type.name} of ${type.path}; the kind of this Go type is unknown`,
      ),
  };
}

function mapTasks(path: string, watches: readonly MigratedKind[]): readonly string[] {
  if (watches.length === 0) return [];
  const names = watches.map((each) => each.kind).join(', ');
  return [
    `in ${path}, map changes of ${names} to the objects to reconcile, with 'map' of watch(…) or with references(…)`,
  ];
}

/** Returns the finalizer of a controller, and a task if the controller has a finalizer whose name is unknown. */
function finalizerOf(
  go: GoController | undefined,
  { constant }: GoProject,
): { readonly exists: boolean; readonly name?: string; readonly tasks: readonly string[] } {
  if (go?.finalizer === undefined) return { exists: false, tasks: [] };
  const name = 'text' in go.finalizer ? go.finalizer.text : constant(go.finalizer.constant);
  if (name !== undefined) return { exists: true, name, tasks: [] };
  return { exists: true, tasks: [`set the finalizer that ${go.file} adds to objects, as 'finalizer' of @Controller,`] };
}

function importsOf(
  path: string,
  {
    owns,
    watches,
    permissions,
  }: {
    readonly owns: readonly MigratedKind[];
    readonly watches: readonly MigratedKind[];
    readonly permissions: readonly RbacMarker[];
  },
): ReadonlyMap<string, readonly string[]> {
  const imports = new Map<string, readonly string[]>([
    ['@kubewright/runtime', [...(permissions.length > 0 ? ['Rbac'] : []), ...(watches.length > 0 ? ['watch'] : [])]],
  ]);
  for (const each of [...owns, ...watches]) {
    const module = sourceFrom(path, each);
    imports.set(module, [...(imports.get(module) ?? []), each.className]);
  }
  return imports;
}

function sourceFrom(path: string, { from }: MigratedKind): string {
  return from.startsWith('@') ? from : moduleFrom(path, from);
}

function testOf(
  path: string,
  { className, kindClass, from, kind }: SkeletonOptions,
  { sample, origin }: MigratedKind,
): readonly (readonly [path: string, text: string])[] {
  const object = sample?.();
  if (object === undefined) return [];
  const module = path.replace(/^.*\/|\.ts$/g, '');
  const isInstalled = origin !== 'built-in';
  const text = controllerSkeletonTest({ className, kindClass, from, kind, module, sample: object, isInstalled });
  return [[path.replace(/\.ts$/, '.test.ts'), text]];
}

const READ = ['get', 'list', 'watch'];
const ALL = [...READ, 'create', 'update', 'patch', 'delete'];

/** Returns the permissions for which the controller needs no `@Rbac`: the declarations grant them, or Kubewright does not need them. */
function declaredPermissions(
  kind: MigratedKind,
  owns: readonly MigratedKind[],
  watches: readonly MigratedKind[],
): readonly Permission[] {
  const on = (
    { group, plural }: Pick<MigratedKind, 'group' | 'plural'>,
    verbs: readonly string[],
    sub = '',
  ): readonly Permission[] => verbs.map((verb) => ({ group, resource: `${plural}${sub}`, verb }));
  return [
    // kubebuilder generates markers for these permissions for every controller, even if the controller does not need them.
    ...on(kind, ALL),
    ...on(kind, ['get', 'update', 'patch'], '/status'),
    ...on(kind, ['update'], '/finalizers'),
    ...owns.flatMap((each) => on(each, ALL)),
    ...watches.flatMap((each) => on(each, READ)),
    ...['', 'events.k8s.io'].flatMap((group) => on({ group, plural: 'events' }, ['create', 'patch'])),
  ];
}

function rbacDecorator({ groups, resources, urls, verbs, names, namespace }: RbacMarker): Code {
  const rule = urls.length > 0 ? { urls, verbs } : { groups, resources, verbs };
  const placed = {
    ...rule,
    ...(names.length > 0 && { names }),
    ...(namespace !== undefined && { namespaces: [namespace] }),
  };
  return call('Rbac', [objectLiteral(Object.entries(placed))]);
}
