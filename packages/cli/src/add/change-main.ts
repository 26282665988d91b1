import { posix } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import type { ProjectSources } from './project-sources.js';
import { addImport, importedAs, importsOf, isUsed } from './source/add-import.js';
import { addToManager, makesManager } from './source/manager-place.js';
import { type SourceModule, sourceModule } from './source/source-module.js';
import { edited } from './source/text-edit.js';

/** A controller that the program is to have. */
export interface AddedController {
  readonly className: string;
  /** The path of its source. */
  readonly path: string;
  /** What it is called in the program where its name is taken. */
  readonly otherName: string;
}

/** The source of the program, changed. */
export interface ChangedMain {
  readonly path: string;
  readonly text: string;
}

/**
 * The program with one more controller; undefined where it has that already. Nothing of it goes away.
 * @throws KubewrightError NO_PLACE with the two lines to write by hand, where there is no telling where they belong
 */
export function changedMain(sources: ProjectSources, controller: AddedController): ChangedMain | undefined {
  const main = mainOf(sources);
  const path = main?.path ?? `${sources.folder}/main.ts`;
  const from = moduleFrom(path, controller.path);
  if (main === undefined) throw noPlace(path, controller.className, from);
  const { className: name, otherName } = controller;
  const known = importedAs(importsOf(main), name, from);
  if (known !== undefined && (isUsed(main, known) || !makesManager(main))) return undefined;
  const { local, edit } = addImport(main, { name, from, otherName });
  const added = addToManager(main, local);
  if (added === undefined) throw noPlace(path, name, from);
  const text = edited(main.text, edit === undefined ? [added] : [edit, added]);
  if (sourceModule(path, text) === undefined) throw noPlace(path, name, from);
  return { path, text };
}

/** The source with the manager: main.ts, or the only one that makes any. */
function mainOf({ modules, folder }: ProjectSources): SourceModule | undefined {
  const main = modules.get(`${folder === '' ? '' : `${folder}/`}main.ts`);
  if (main !== undefined && makesManager(main)) return main;
  const [only, ...more] = [...modules.values()].filter(makesManager);
  return more.length === 0 ? (only ?? main) : main;
}

/** How a source imports another one: './controllers/website-controller.js'. */
export function moduleFrom(importing: string, path: string): string {
  const near = posix.relative(posix.dirname(importing), path).replace(/\.([cm]?)ts$/, '.$1js');
  return near.startsWith('.') ? near : `./${near}`;
}

function noPlace(path: string, name: string, from: string): KubewrightError {
  return new KubewrightError(
    'NO_PLACE',
    `cannot add ${name} to ${path}: there is no telling where, since it does not make one manager and start it; nothing was written. Write these two lines there, and call this again:
  import { ${name} } from '${from}';
  manager.add(${name});`,
  );
}
