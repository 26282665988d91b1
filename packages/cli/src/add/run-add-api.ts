import {
  apiFile,
  controllerFile,
  controllerPath,
  controllerTestFile,
  controllerTestPath,
  groupOf,
  type KindFilesOptions,
} from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { findProject } from '../project/find-project.js';
import { changedMain } from './change-main.js';
import { isMultiGroup, newApiPath } from './kind-layout.js';
import { checkNames, groupNames, invalidUsage } from './kind-request.js';
import { placed, type ProjectSources, projectSources } from './project-sources.js';
import { controllerClass, otherControllerName } from './controller-names.js';
import { reportExisting, writeAdded } from './write-added.js';

/** The options of `kubewright add api`. */
export interface AddApiOptions {
  readonly group?: string;
  readonly kind: string;
  readonly version: string;
  readonly clusterScoped?: boolean;
  /** Whether to add a controller; false with `--no-controller`. */
  readonly controller: boolean;
}

/** Runs `kubewright add api`: writes the class of a new kind and, unless `--no-controller` is given, a controller with a test. */
export async function runAddApi(context: CommandContext, request: AddApiOptions): Promise<void> {
  const project = await findProject(context.cwd);
  const sources = await projectSources(project);
  checkNames(request);
  const { kind, version, clusterScoped = false } = request;
  const names = groupNames(sources, request);
  const group = groupOf(names);
  const what = `${kind} (${group}/${version})`;
  const present = sources.kinds.filter((each) => each.kind === kind && (each.group ?? group) === group);
  const same = present.find((each) => each.version === version);
  if (same !== undefined) return reportExisting(context, what, same.module.path);
  const [other] = present;
  if (other !== undefined) {
    throw invalidUsage(
      what,
      `the kind already exists as ${other.version ?? 'another version'} in ${other.module.path}; run: kubewright add version --kind ${kind} --from ${other.version ?? 'v1'} --version ${version}`,
    );
  }
  const options = { ...names, kind, version, namespaced: !clusterScoped, multiGroup: isMultiGroup(sources, group) };
  const path = newApiPath(sources, options);
  const added = request.controller ? withController(sources, options) : { created: new Map(), changed: new Map() };
  await writeAdded(context, project, {
    what,
    created: new Map([[path, apiFile(options)], ...added.created]),
    changed: added.changed,
    next: [`declare the fields of ${kind} in ${path}, and then run 'kubewright generate' to write the manifests`],
  });
}

function withController(sources: ProjectSources, options: KindFilesOptions) {
  const { kind } = options;
  const path = placed(sources, controllerPath(kind));
  if (sources.modules.has(path)) {
    throw invalidUsage(
      kind,
      `${path} already exists for another kind; pass --no-controller, and then run: kubewright add controller --kind ${kind} --group ${groupOf(options)} --name another-name`,
    );
  }
  const className = controllerClass(kind);
  const main = changedMain(sources, { className, path, otherName: otherControllerName(groupOf(options), kind) });
  return {
    created: new Map([
      [path, controllerFile(options)],
      [placed(sources, controllerTestPath(kind)), controllerTestFile(options)],
    ]),
    changed: new Map(main === undefined ? [] : [[main.path, main.text]]),
  };
}
