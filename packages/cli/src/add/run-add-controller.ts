import { posix } from 'node:path';
import { builtInKinds } from '@kubewright/api/built-in';
import { kebabCase, nameProblem } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { declaredBy } from '../project/declared-by.js';
import { findProject } from '../project/find-project.js';
import { sampleOf } from '../manifests/samples/sample-of.js';
import type { AddControllerOptions } from './add-controller-options.js';
import { builtInKind } from './built-in-kind.js';
import { builtInSample } from './built-in-samples.js';
import { changedMain, moduleFrom } from './change-main.js';
import { controllerClass, namedControllerPath, otherControllerName } from './controller-names.js';
import { controllerSkeleton, controllerSkeletonTest } from './controller-skeleton.js';
import type { ControlledKind } from './controlled-kind.js';
import { externalKind, inNamespace } from './external-kind.js';
import { invalidUsage } from './kind-request.js';
import { ownKind } from './own-kind.js';
import { placed, type ProjectSources, projectSources } from './project-sources.js';
import type { KindDeclaration } from './source/kind-declarations.js';
import { reportExisting, writeAdded } from './write-added.js';

/**
 * Runs `kubewright add controller`: writes a controller, and adds the controller to the program. Writes the classes of a kind of another
 * operator if they do not exist. Writes a test if a sample of the kind is available.
 */
export async function runAddController(context: CommandContext, request: AddControllerOptions): Promise<void> {
  const project = await findProject(context.cwd);
  const sources = await projectSources(project);
  const kind = await controlledKind(context, sources, request);
  const name = nameOf(request);
  const path = placed(sources, namedControllerPath(name));
  const className = controllerClass(name);
  const what = `${className}, for ${kind.kind} (${kind.group === '' ? '' : `${kind.group}/`}${kind.version})`;
  const others = sources.controllers.filter((each) => each.for !== undefined && isFor(each.for, kind));
  const same = others.find((each) => each.className === className);
  if (same !== undefined) return reportExisting(context, what, same.module.path);
  const [other] = others;
  if (other !== undefined && request.name === undefined) {
    throw invalidUsage(
      what,
      `${other.module.path} already has a controller for this kind; pass --name to add another controller`,
    );
  }
  const sample = await kind.sample();
  const files = skeletonFiles({ kind, path, className, isSecond: other !== undefined, sample });
  const main = changedMain(sources, { className, path, otherName: otherControllerName(kind.group, name) });
  await writeAdded(context, project, {
    what,
    created: kind.created === undefined ? files : new Map([[kind.created.path, kind.created.text], ...files]),
    changed: new Map(main === undefined ? [] : [[main.path, main.text]]),
    next: [
      ...(sample === undefined ? [`no test was written: the required fields of ${kind.kind} are unknown`] : []),
      ...(kind.differences ?? []).map((each) => `the classes differ from the definition: ${each}`),
      `implement the reconcile method in ${path}`,
    ],
  });
}

function nameOf({ kind, name }: AddControllerOptions): string {
  if (name === undefined) return kebabCase(kind);
  const problem = nameProblem(name);
  if (problem !== undefined) throw invalidUsage(`a controller for ${kind}`, `the ${problem}`);
  return name.replace(/-controller$/, '');
}

/** Returns the requested kind. Kinds that the project declares take precedence over built-in kinds. */
async function controlledKind(
  context: CommandContext,
  sources: ProjectSources,
  request: AddControllerOptions,
): Promise<ControlledKind> {
  if (request.crd !== undefined || request.fromCluster === true) return externalKind(context, sources, request);
  const isMeant = (each: KindDeclaration): boolean =>
    each.kind === request.kind && (request.version === undefined || each.version === request.version);
  const known = sources.externalKinds.filter(
    (each) => isMeant(each) && (request.group === undefined || each.group === request.group),
  );
  if (known.length > 0) return declaredKind(context, sources, chosenVersion(request, known));
  const builtIn = builtInKind(request);
  if (builtIn !== undefined && !sources.kinds.some(isMeant)) {
    const { info, module } = builtIn;
    return { ...info, className: info.kind, from: module, origin: 'built-in', sample: async () => builtInSample(info) };
  }
  const otherKinds = [...sources.externalKinds.map((each) => each.kind), ...builtInKinds().map((each) => each.kind)];
  const all = ownKind(sources, request, otherKinds);
  return declaredKind(context, sources, chosenVersion(request, all));
}

/**
 * Returns the requested version of a kind; without a requested version, the only version or the storage version.
 * @throws KubewrightError INVALID_USAGE if the kind does not have the requested version, if no version is the storage version, or if the
 *   declarations are in several groups
 */
function chosenVersion({ kind, version }: AddControllerOptions, declared: readonly KindDeclaration[]): KindDeclaration {
  const what = `a controller for ${kind}`;
  const groups = [...new Set(declared.map(({ group = '' }) => group))];
  if (groups.length > 1) {
    throw invalidUsage(what, `the groups ${groups.join(' and ')} have this kind; pass --group with one of them`);
  }
  const meant = declared.filter((each) => version === undefined || each.version === version);
  const [only] = meant.length === 1 ? meant : meant.filter(({ isStored }) => isStored);
  if (only !== undefined) return only;
  const versions = declared.map((each) => each.version ?? '?').join(', ');
  const problem = meant.length === 0 ? `the kind has no version ${version}` : 'the kind has several versions';
  throw invalidUsage(what, `${problem}; pass --version with one of ${versions}`);
}

function declaredKind(context: CommandContext, sources: ProjectSources, declared: KindDeclaration): ControlledKind {
  const { module, className, kind, group = '', version = '', isExternal } = declared;
  return {
    kind,
    group,
    version,
    className,
    from: module.path,
    origin: isExternal ? 'external' : 'own',
    sample: async () => {
      const { crds, externalCrds } = await declaredBy(sources.project, context);
      const crd = [...crds, ...externalCrds].find(({ spec }) => spec.group === group && spec.names.kind === kind);
      return crd === undefined ? undefined : inNamespace(sampleOf(crd, version), crd);
    },
  };
}

interface Skeleton {
  readonly kind: ControlledKind;
  readonly path: string;
  readonly className: string;
  readonly isSecond: boolean;
  readonly sample: Readonly<Record<string, unknown>> | undefined;
}

function skeletonFiles({ kind, path, className, isSecond, sample }: Skeleton): ReadonlyMap<string, string> {
  const from = kind.from.startsWith('@') ? kind.from : moduleFrom(path, kind.from);
  const common = { className, kindClass: kind.className, from, kind: kind.kind };
  // Only one controller sets the conditions of an object. For a kind of another operator, this is the controller of that operator. For a
  // kind of the project, this is the first controller.
  const isGuest = kind.origin === 'external' || (kind.origin === 'own' && isSecond);
  const text = controllerSkeleton({ ...common, ...(isGuest && { options: { reconcileCondition: false } }) });
  const files = new Map([[path, text]]);
  if (sample === undefined) return files;
  const module = posix.basename(path, '.ts');
  const test = controllerSkeletonTest({ ...common, module, sample, isInstalled: kind.origin !== 'built-in' });
  return files.set(path.replace(/\.ts$/, '.test.ts'), test);
}

function isFor(reconciled: { readonly className: string; readonly from: string }, kind: ControlledKind): boolean {
  return reconciled.className === kind.className && reconciled.from === kind.from;
}
