import { posix } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import type { ProjectSources } from './project-sources.js';
import { addImport, importedAs, importsOf, isUsed } from './source/add-import.js';
import { addToManager, countManagers, makesManager } from './source/manager-place.js';
import { type SourceModule, sourceModule } from './source/source-module.js';
import { edited } from './source/text-edit.js';

/** A controller or a webhook to add to the program. */
export interface AddedClass {
  readonly className: string;
  /** The path of the source of the class. */
  readonly path: string;
  /** The local name of the class in the program if another value already has the name `className`. */
  readonly otherName: string;
}

/** The changed source of the program. */
export interface ChangedMain {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the source of the program with an import of the class and a call of `add`. Returns undefined if no change is necessary: the
 * program already imports the class, and already uses the class or creates no manager.
 * @throws KubewrightError CANNOT_EDIT_SOURCE if main.ts does not exist, if the program does not create exactly one manager, or if no
 *   position for `add` precedes the start of the manager; the message contains the reason and the lines to add
 */
export function changedMain(sources: ProjectSources, added: AddedClass): ChangedMain | undefined {
  const main = mainOf(sources);
  const path = main?.path ?? `${sources.folder}/main.ts`;
  const from = moduleFrom(path, added.path);
  const { className: name, otherName } = added;
  if (main === undefined) throw noPlace({ path, name, from }, 'the file does not exist or is not valid TypeScript');
  const known = importedAs(importsOf(main), name, from);
  if (known !== undefined && (isUsed(main, known) || !makesManager(main))) return undefined;
  const { local, edit } = addImport(main, { name, from, otherName });
  const call = addToManager(main, local);
  if (call === undefined) throw noPlace({ path, name, from }, placeProblem(main));
  const text = edited(main.text, edit === undefined ? [call] : [edit, call]);
  if (sourceModule(path, text) === undefined) {
    throw noPlace({ path, name, from }, 'the changed file would not be valid TypeScript');
  }
  return { path, text };
}

/**
 * Returns the source of the program with imports and calls of `add` for several classes. Returns undefined if `changedMain` returns
 * undefined for each class. Rejects with the errors of `changedMain`.
 */
export function changedMainForAll(sources: ProjectSources, added: readonly AddedClass[]): ChangedMain | undefined {
  let changed: ChangedMain | undefined;
  let current = sources;
  for (const each of added) {
    const next = changedMain(current, each);
    if (next === undefined) continue;
    changed = next;
    current = withChanges(current, new Map([[next.path, next.text]]));
  }
  return changed;
}

/**
 * Returns the sources of a project with the changed texts, for example before `changedMain` changes a source again. Keeps the previous
 * source if a changed text is not valid TypeScript.
 */
export function withChanges(sources: ProjectSources, changed: ReadonlyMap<string, string>): ProjectSources {
  const modules = new Map(sources.modules);
  for (const [path, text] of changed) {
    const module = sourceModule(path, text);
    if (module !== undefined) modules.set(path, module);
  }
  return { ...sources, modules };
}

/**
 * Returns main.ts if it creates a manager, otherwise the only source that creates a manager. If no source or several sources create a
 * manager, returns main.ts, or undefined if main.ts does not exist.
 */
function mainOf({ modules, folder }: ProjectSources): SourceModule | undefined {
  const main = modules.get(`${folder === '' ? '' : `${folder}/`}main.ts`);
  if (main !== undefined && makesManager(main)) return main;
  const [only, ...more] = [...modules.values()].filter(makesManager);
  return more.length === 0 ? (only ?? main) : main;
}

/** Returns the specifier with which a source imports another source: './controllers/website-controller.js'. */
export function moduleFrom(importing: string, path: string): string {
  const near = posix.relative(posix.dirname(importing), path).replace(/\.([cm]?)ts$/, '.$1js');
  return near.startsWith('.') ? near : `./${near}`;
}

/** Returns the reason why a source has no position for `add`. */
function placeProblem(main: SourceModule): string {
  const count = countManagers(main);
  if (count === 0) return 'the file does not create a manager';
  if (count > 1) return `the file creates ${count} managers`;
  return 'the file has no suitable position for the call of add';
}

/** Creates the error for a program that the command cannot change. `problem` states the reason. */
function noPlace(
  { path, name, from }: { readonly path: string; readonly name: string; readonly from: string },
  problem: string,
): KubewrightError {
  return new KubewrightError(
    'CANNOT_EDIT_SOURCE',
    `cannot add ${name} to ${path}: ${problem}; no file was written. Add these two lines, and run the command again:
  import { ${name} } from '${from}';
  manager.add(${name});`,
  );
}
