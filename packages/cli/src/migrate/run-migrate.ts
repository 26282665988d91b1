import { join, relative, resolve, sep } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { checkFolder, writeFiles } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import { crdText } from '../crd-classes/crd-text.js';
import { entriesIfExists, textIfExists, textOf } from '../project/if-exists.js';
import type { MigrationSource } from './migration.js';
import { migrationOf } from './migration-of.js';

/** The options of `kubewright migrate`. */
export interface MigrateOptions {
  readonly crd?: readonly string[];
}

/** The options and arguments of `kubewright migrate`. */
export interface MigrateRequest extends MigrateOptions {
  readonly project: string;
  readonly folder?: string;
}

/** Runs `kubewright migrate`: creates a project from a kubebuilder project. Writes no file if the target folder contains other files. */
export async function runMigrate({ cwd, output }: CommandContext, request: MigrateRequest): Promise<void> {
  const source = await sourceOf(cwd, request);
  const { name, files, created, tasks } = migrationOf(source);
  const root = resolve(cwd, request.folder ?? `${name}-ts`);
  const folder = relative(cwd, root) || '.';
  const missing = await checkFolder(root, files, { force: false });
  await writeFiles(root, { write: missing });
  output.json({ folder, created: [...missing.keys()].toSorted(), tasks });
  if (missing.size === 0) return output.line(`nothing changed: ${folder} already exists`);
  const { green, bold, dim } = output.styles;
  output.line(`created ${folder}`);
  for (const each of created) output.line(`${green('created')} ${each}`);
  output.line(`\n${bold('remaining tasks')}, also listed in MIGRATION.md:`);
  for (const each of tasks) output.line(`- ${each}`);
  output.line(dim(`\nnext: cd ${folder}, npm install, npm test`));
}

async function sourceOf(cwd: string, { project, crd = [] }: MigrateRequest): Promise<MigrationSource> {
  const root = resolve(cwd, project);
  const path = join(project, 'PROJECT');
  const text = await textIfExists(join(root, 'PROJECT'));
  if (text === undefined) {
    throw new KubewrightError(
      'INVALID_KUBEBUILDER_PROJECT',
      `cannot migrate ${project}: the folder has no PROJECT file; specify the folder of a kubebuilder project`,
    );
  }
  const external = await Promise.all(crd.map(async (file) => [file, await crdText(cwd, file)] as const));
  return {
    project: { text, path },
    definitions: await textsBelow(join(root, 'config'), root, /(^|\/)crds?\/bases\/[^/]+\.ya?ml$/),
    externalDefinitions: new Map(external),
    goSources: await textsBelow(root, root, /(?<!_test)\.go$/),
  };
}

/** Matches paths in folders without sources of the project. */
const PASSED_OVER = /(^|\/)(vendor|node_modules|bin|\.git|testdata)\//;

/**
 * Reads the files below `folder` whose paths match `pattern`. The keys are paths relative to `root`, and the texts have LF line endings.
 * Skips the folders that `PASSED_OVER` matches. Returns an empty map if the folder does not exist.
 */
async function textsBelow(folder: string, root: string, pattern: RegExp): Promise<ReadonlyMap<string, string>> {
  const entries = await entriesIfExists(folder, { recursive: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => pattern.test(path) && !PASSED_OVER.test(path))
    .toSorted();
  const texts = paths.map(async (path) => [path, (await textOf(join(root, path))).replaceAll('\r\n', '\n')] as const);
  return new Map(await Promise.all(texts));
}
