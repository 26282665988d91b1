import { kebabCase } from 'create-operator';
import type { GoController, GoReconciler } from './go-controller.js';
import type { GoProject } from './go-project.js';
import type { KubebuilderProject, KubebuilderResource } from './kubebuilder-project.js';
import { isSameType, type MigratedKind, type MigratedKinds } from './migrated-kinds.js';

/** A controller to create in the migrated project. */
export interface DesiredController {
  /** The unique name of the controller, such as 'memcached-backup'. */
  readonly name: string;
  readonly kind: MigratedKind;
  /** The controller in the Go sources; undefined if the Go sources do not contain the controller. */
  readonly go: GoController | undefined;
  /** Whether the controller is the first controller of its kind. */
  readonly isFirst: boolean;
}

/** The controllers to create, and the tasks that the user must complete manually. */
export interface DesiredControllers {
  readonly controllers: readonly DesiredController[];
  readonly tasks: readonly string[];
}

/** A possible controller, whose kind may still be unknown. */
interface Candidate extends Pick<DesiredController, 'go'> {
  readonly plain: string;
  readonly kind: MigratedKind | undefined;
  /** The task for the user if the kind is unknown or derived from the name of the reconciler. */
  readonly task: string;
  /** Whether the kind is derived only from the name of the reconciler. */
  readonly isGuess?: boolean;
}

/**
 * Returns the controllers to create: first the controllers in the PROJECT file, and then other controllers in the Go sources, if their kind
 * is known. Returns a task for each controller whose kind is unknown or guessed, and for each kind without a controller.
 */
export function desiredControllers(
  project: KubebuilderProject,
  kinds: MigratedKinds,
  go: GoProject,
): DesiredControllers {
  const remaining = new Set(go.controllers);
  const unclear = new Set(go.unclear);
  const named = project.resources.flatMap((resource) =>
    resource.controllers.map((name): Candidate => {
      const own = [...remaining].filter((each) => isSameType(each.for, resource));
      const plain = plainName(name, resource.kind);
      const found = own.find((each) => isNamed(each, plain)) ?? own[0];
      if (found !== undefined) remaining.delete(found);
      const kind = kinds.ofResource(resource);
      const task = `write the controller of ${nameOf(resource)} after you add the class of the kind`;
      const namesake = [...unclear].find((each) => kebabCase(bareName(each.reconciler)) === plain);
      if (found !== undefined || kind === undefined || namesake === undefined) return { plain, kind, go: found, task };
      unclear.delete(namesake);
      return { plain, kind, ...guessed(namesake, kind.kind) };
    }),
  );
  const unnamed = [...remaining].map(
    (each): Candidate => ({
      plain: kebabCase(bareName(each.reconciler) || each.for.name),
      kind: go.otherPrograms.has(each.file) ? undefined : kinds.ofType(each.for),
      go: each,
      task: `check ${each.file}: the file sets up a controller for ${each.for.name} that PROJECT does not contain; the command did not migrate this controller`,
    }),
  );
  const known = withoutStale([...named, ...unnamed]);
  const all = [...known, ...[...unclear].map((each) => guessedCandidate(each, { known, kinds, go }))];
  const controllers = withNames(all);
  return {
    controllers,
    tasks: [
      ...all.filter(({ kind, isGuess }) => kind === undefined || isGuess === true).map(({ task }) => task),
      ...withoutController(controllers, project, kinds),
    ],
  };
}

/**
 * Returns a controller for a reconciler without setup code. Derives the kind from the name of the reconciler. The kind is undefined if no
 * kind has this name, if the kind has another controller, or if the reconciler belongs to another program.
 */
function guessedCandidate(
  reconciler: GoReconciler,
  { known, kinds, go }: { readonly known: readonly Candidate[]; readonly kinds: MigratedKinds; readonly go: GoProject },
): Candidate {
  const { file, reconciler: type } = reconciler;
  const kind = go.otherPrograms.has(file) ? undefined : kinds.named(bareName(type));
  const plain = kebabCase(bareName(type));
  if (kind === undefined || known.some((each) => each.kind !== undefined && isSameKind(each.kind, kind))) {
    const task = `check ${file}: ${type} has a Reconcile method, but no call of For(&…{}) specifies its kind; the command did not migrate ${type}`;
    return { plain, kind: undefined, go: undefined, task };
  }
  return { plain, kind, ...guessed(reconciler, kind.kind) };
}

/** Returns the Go controller and the task for a reconciler whose kind is derived from its name. */
function guessed(reconciler: GoReconciler, kind: string): Pick<Candidate, 'go' | 'isGuess' | 'task'> {
  const { file, reconciler: type } = reconciler;
  const declared = { for: { path: '', name: kind }, owns: [], watches: [], hasMore: false, setupFile: file };
  return {
    go: { ...reconciler, ...declared },
    isGuess: true,
    task: `check that ${type} in ${file} reconciles ${kind}, and declare what it owns and watches: no call of For(&…{}) specifies its kind`,
  };
}

/**
 * Returns a task for each kind of the project without a controller. Skips kinds that have a controller in the PROJECT file, because these
 * controllers have separate tasks.
 */
function withoutController(
  controllers: readonly DesiredController[],
  { resources }: KubebuilderProject,
  kinds: MigratedKinds,
): readonly string[] {
  const isNamed = (kind: Pick<MigratedKind, 'group' | 'kind'>): boolean =>
    resources.some((each) => isSameKind(each, kind) && each.controllers.length > 0);
  return kinds.expected
    .filter((each) => !isNamed(each) && !controllers.some(({ kind }) => isSameKind(kind, each)))
    .map(
      ({ kind, group }) =>
        `${kind} (${group === '' ? 'core' : group}) has no controller: no Go source sets up a controller for the kind; if the kind needs a controller, add one with 'kubewright add controller'`,
    );
}

function isSameKind(
  a: Pick<MigratedKind, 'group' | 'kind'>,
  b: Pick<MigratedKind, 'group' | 'kind'> | undefined,
): boolean {
  return a.group === b?.group && a.kind === b.kind;
}

/** Returns the name of a reconciler without the suffix Reconciler or Controller. */
function bareName(reconciler: string): string {
  return reconciler.replace(/(?:reconciler|controller)$/i, '');
}

/** Returns the name of a controller without the suffix -controller or -reconciler. For the default name, returns the kind in kebab-case. */
function plainName(name: string, kind: string): string {
  const plain = name.replace(/-?(?:controller|reconciler)$/, '');
  return plain === '' || plain === kind.toLowerCase() ? kebabCase(kind) : plain;
}

function isNamed({ file }: GoController, name: string): boolean {
  const bare = (text: string): string => text.replaceAll(/[-_]/g, '');
  return bare(file.split('/').at(-1) ?? '') === `${bare(name)}controller.go`;
}

/**
 * Removes duplicates among controllers with the same name and kind. Among duplicates, keeps the controllers that the Go sources contain, or
 * otherwise only the first controller. The PROJECT file has duplicates if it lists a controller for several API versions.
 */
function withoutStale(candidates: readonly Candidate[]): readonly Candidate[] {
  const isSame = (a: Candidate, b: Candidate): boolean =>
    a.plain === b.plain && a.kind?.kind === b.kind?.kind && a.kind?.group === b.kind?.group;
  return candidates.filter((each, at) => {
    const others = candidates.filter((other) => other !== each && isSame(each, other));
    const isFirst = candidates.findIndex((other) => isSame(each, other)) === at;
    return each.go !== undefined || (isFirst && others.every(({ go }) => go === undefined));
  });
}

/** A controller whose name may not be unique. */
interface Nameable extends Pick<DesiredController, 'go' | 'kind'> {
  readonly plain: string;
}

/** Assigns a unique name to each controller. Adds the group as a prefix and, if necessary, the version as a suffix to equal names. */
function withNames(candidates: readonly Candidate[]): readonly DesiredController[] {
  const known = distinguished(
    candidates.flatMap(({ plain, kind, go }) => (kind === undefined ? [] : [{ plain, kind, go }])),
  );
  const choices = known.map(({ plain, kind: { group, version } }) => {
    const full = `${group.split('.')[0] || 'core'}-${plain}`;
    return [plain, full, `${full}-${version}`];
  });
  const seen = new Set<string>();
  return known.map(({ kind, go, plain }, at) => {
    const isFree = (name: string): boolean => choices.every((each, other) => other === at || !each.includes(name));
    const key = `${kind.group}/${kind.kind}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return { name: choices[at]?.find(isFree) ?? `${plain}-${at + 1}`, kind, go, isFirst };
  });
}

/**
 * Renames controllers with the same name for the same version of a kind. Adds a prefix to the name of each controller except the first. The
 * prefix is the name of a folder that is only in the path of this controller. If every folder is also in another path, adds a number as a
 * suffix.
 */
function distinguished(known: readonly Nameable[]): readonly Nameable[] {
  const hasSameName = (a: Nameable, b: Nameable): boolean =>
    a.plain === b.plain && (['group', 'version', 'kind'] as const).every((key) => a.kind[key] === b.kind[key]);
  const taken = new Set(known.map(({ plain }) => plain));
  return known.map((each, at) => {
    const first = known.findIndex((other) => hasSameName(each, other));
    if (first === at) return each;
    const others = known
      .filter((other) => other !== each && hasSameName(each, other))
      .flatMap(({ go }) => foldersOf(go));
    const own = foldersOf(each.go).findLast((folder) => !others.includes(folder) && !USUAL_FOLDER.test(folder));
    const desired =
      own === undefined ? each.plain : kebabCase(`${own.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${each.plain}`);
    const numbered = Array.from(known, (_, count) => `${desired}-${count + 2}`);
    const plain = [desired, ...numbered].find((name) => !taken.has(name)) ?? desired;
    taken.add(plain);
    return { ...each, plain };
  });
}

function foldersOf(go: GoController | undefined): readonly string[] {
  return go?.file.split('/').slice(0, -1) ?? [];
}

/** Matches common folder names, which do not describe a controller. */
const USUAL_FOLDER = /^(?:api|cmd|controllers?|internal|pkg|reconcilers?)$/;

function nameOf({ kind, group, version }: KubebuilderResource): string {
  return `${kind} (${group}/${version})`;
}
