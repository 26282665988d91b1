import { join, relative, sep } from 'node:path';
import { entriesIfThere } from './if-there.js';
import type { Project } from './project.js';
import type { InspectedModule } from './inspection/inspection-messages.js';

const SOURCE = /\.[cm]?tsx?$/;
const NO_MODULE = /\.d\.[cm]?ts$|\.test\.[cm]?tsx?$/;

/** The sources of a project, without tests; relative to its folder, with slashes, sorted. */
export async function sourcesOf({ root, sourceFolder }: Project): Promise<readonly string[]> {
  const entries = await entriesIfThere(sourceFolder, { recursive: true });
  return entries
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !NO_MODULE.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !path.includes('node_modules/'))
    .toSorted();
}

/** The modules below a folder of the sources, with what the compiler makes of them. What has no source any more is none. */
export async function modulesBelow(project: Project, folder: string): Promise<readonly InspectedModule[]> {
  const { root, sourceFolder, outFolder } = project;
  const below = `${relative(root, join(sourceFolder, folder)).replaceAll(sep, '/')}/`;
  return (await sourcesOf(project))
    .filter((source) => source.startsWith(below))
    .map((source) => {
      const inSources = relative(sourceFolder, join(root, source));
      return { source, compiled: join(outFolder, inSources.replace(/\.([cm]?)tsx?$/, '.$1js')) };
    });
}
