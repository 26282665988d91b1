import { posix } from 'node:path';
import { kebabCase, nameProblem } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { findProject } from '../project/find-project.js';
import type { AddControllerOptions } from './add-controller-options.js';
import { changedMain, moduleFrom } from './change-main.js';
import { controllerClass, namedControllerPath, otherControllerName } from './controller-names.js';
import { controllerSkeleton, controllerSkeletonTest } from './controller-skeleton.js';
import type { ControlledKind } from './controlled-kind.js';
import { invalidUsage } from './kind-request.js';
import { placed, projectSources } from './project-sources.js';
import { requestedKind } from './requested-kind.js';
import { reportExisting, writeAdded } from './write-added.js';

/**
 * Runs `kubewright add controller`: writes a controller, and adds the controller to the program. Writes the classes of a kind of another
 * operator if they do not exist. Writes a test if a sample of the kind is available.
 */
export async function runAddController(context: CommandContext, request: AddControllerOptions): Promise<void> {
  const project = await findProject(context.cwd);
  const sources = await projectSources(project);
  const kind = await requestedKind(context, sources, { ...request, what: `a controller for ${request.kind}` });
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
