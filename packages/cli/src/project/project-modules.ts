import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { linkedPackages } from './linked-packages.js';
import { entriesIfExists } from './if-exists.js';
import type { Project } from './project.js';
import type { InspectedModule, InspectedModules } from './inspection/inspection-messages.js';

const SOURCE = /\.([cm]?)[jt]sx?$/;
const TYPESCRIPT = /\.[cm]?tsx?$/;
const NO_MODULE = /\.d\.[cm]?ts$|\.test\.[cm]?[jt]sx?$/;

/** The folders of a project or linked package. The paths of sources are relative to `root`. */
type Place = Pick<Project, 'root' | 'sourceFolder' | 'outFolder'>;

/**
 * Returns the sorted paths of all sources of a project, without tests and declaration files. The paths are relative to `root` and have
 * slashes.
 */
export async function sourcesOf({ root, sourceFolder }: Omit<Place, 'outFolder'>): Promise<readonly string[]> {
  const entries = await entriesIfExists(sourceFolder, { recursive: true });
  return entries
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !NO_MODULE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !path.includes('node_modules/'))
    .toSorted();
}

/**
 * Returns the sources below a folder in the source folder, each with the path of the compiled module. Excludes JavaScript sources that are
 * not compiled.
 */
export async function modulesBelow(project: Place, folder: string): Promise<readonly InspectedModule[]> {
  const { root, sourceFolder, outFolder } = project;
  const below = `${relative(root, join(sourceFolder, folder)).replaceAll(sep, '/')}/`;
  return (await sourcesOf(project))
    .filter((source) => source.startsWith(below))
    .map((source) => {
      const inSources = relative(sourceFolder, join(root, source));
      return { source, compiled: join(outFolder, inSources.replace(SOURCE, '.$1js')) };
    })
    .filter(({ source, compiled }) => TYPESCRIPT.test(source) || existsSync(compiled));
}

/** Returns the modules and sources of a project and its linked packages that an inspection reads. */
export async function inspectedModules(project: Project): Promise<InspectedModules> {
  const [declaring, sources, packages] = await Promise.all([
    modulesBelow(project, 'api'),
    sourcesOf(project),
    linkedPackages(project.root),
  ]);
  const linked = await Promise.all(packages.map((each) => modulesBelow({ ...each, root: project.root }, '')));
  return { declaring, sources, linked: linked.flat().filter(({ compiled }) => existsSync(compiled)) };
}
