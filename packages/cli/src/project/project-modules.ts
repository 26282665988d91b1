import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { linkedPackages } from './linked-packages.js';
import { entriesIfThere } from './if-there.js';
import type { Project } from './project.js';
import type { InspectedModule, InspectedModules } from './inspection/inspection-messages.js';

const SOURCE = /\.([cm]?)[jt]sx?$/;
const TYPESCRIPT = /\.[cm]?tsx?$/;
const NO_MODULE = /\.d\.[cm]?ts$|\.test\.[cm]?[jt]sx?$/;

/** Where sources are, and from where their paths are told. */
type Place = Pick<Project, 'root' | 'sourceFolder' | 'outFolder'>;

/** The sources of a project, without tests; relative to its folder, with slashes, sorted. */
export async function sourcesOf({ root, sourceFolder }: Omit<Place, 'outFolder'>): Promise<readonly string[]> {
  const entries = await entriesIfThere(sourceFolder, { recursive: true });
  return entries
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !NO_MODULE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !path.includes('node_modules/'))
    .toSorted();
}

/**
 * The modules below a folder of the sources, with what the compiler makes of them. What has no source any more is none, and JavaScript
 * which the compiler leaves alone is none either.
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

/** What an inspection reads of a project: the modules that declare kinds, every source, and the modules of the packages that are linked to it. */
export async function inspectedModules(project: Project): Promise<InspectedModules> {
  const [declaring, sources, packages] = await Promise.all([
    modulesBelow(project, 'api'),
    sourcesOf(project),
    linkedPackages(project.root),
  ]);
  const linked = await Promise.all(packages.map((each) => modulesBelow({ ...each, root: project.root }, '')));
  return { declaring, sources, linked: linked.flat().filter(({ compiled }) => existsSync(compiled)) };
}
