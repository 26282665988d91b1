import { join, relative, sep } from 'node:path';
import { textOf } from '../project/if-exists.js';
import type { Project } from '../project/project.js';
import { sourcesOf } from '../project/project-modules.js';
import {
  type ControllerDeclaration,
  controllersIn,
  type KindDeclaration,
  kindsIn,
  type WebhookDeclaration,
  webhooksIn,
} from './source/kind-declarations.js';
import { type SourceModule, sourceModule } from './source/source-module.js';

/** The declarations in the sources of a project, found by parsing only. No code of the project runs. */
export interface ProjectSources {
  readonly project: Project;
  /** The folder of the sources, relative to the project: `src`. */
  readonly folder: string;
  /** The parsed TypeScript sources by path. */
  readonly modules: ReadonlyMap<string, SourceModule>;
  /** The kinds of the project itself. */
  readonly kinds: readonly KindDeclaration[];
  /** The kinds of other operators. */
  readonly externalKinds: readonly KindDeclaration[];
  readonly controllers: readonly ControllerDeclaration[];
  /** The defaulters, validators and converters. */
  readonly webhooks: readonly WebhookDeclaration[];
}

/** Reads the sources of a project. Skips sources that are not valid TypeScript. */
export async function projectSources(project: Project): Promise<ProjectSources> {
  const { root, sourceFolder } = project;
  const paths = await sourcesOf(project);
  const read = await Promise.all(paths.map(async (path) => sourceModule(path, await textOf(join(root, path)))));
  const modules = read.filter((each) => each !== undefined);
  const kinds = modules.flatMap(kindsIn);
  return {
    project,
    folder: relative(root, sourceFolder).replaceAll(sep, '/'),
    modules: new Map(modules.map((each) => [each.path, each])),
    kinds: kinds.filter(({ isExternal }) => !isExternal),
    externalKinds: kinds.filter(({ isExternal }) => isExternal),
    controllers: modules.flatMap(controllersIn),
    webhooks: modules.flatMap(webhooksIn),
  };
}

/** Returns the path of a template file in a project whose source folder can differ from `src`. */
export function placed({ folder }: ProjectSources, path: string): string {
  return path.startsWith('src/') && folder !== 'src' ? `${folder === '' ? '' : `${folder}/`}${path.slice(4)}` : path;
}
