import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { changesOf, type ProjectFiles, writeFiles } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import type { Project } from '../project/project.js';

/** What a command adds to a project. */
export interface Addition {
  /** What it is, for people: 'Website (web.example.com/v1)'. */
  readonly what: string;
  /** Files that are not to be there yet. */
  readonly made: ProjectFiles;
  /** Files that are changed. */
  readonly changed: ProjectFiles;
  /** What comes next, a line each. */
  readonly next: readonly string[];
}

/**
 * Writes what is added, all of it or nothing, and tells so.
 * @throws KubewrightError FILE_EXISTS for a file that has something else in it
 */
export async function writeAdded(context: CommandContext, project: Project, addition: Addition): Promise<void> {
  const { output } = context;
  const { what, made, changed, next } = addition;
  const { write } = await changesOf(project.root, { write: new Map([...made, ...changed]) });
  for (const path of write.keys()) {
    if (made.has(path) && (await exists(join(project.root, path)))) {
      throw new KubewrightError(
        'FILE_EXISTS',
        `cannot add ${what}: ${path} is there, with something else in it; move it away, or choose another name; nothing was written`,
      );
    }
  }
  await writeFiles(project.root, { write });
  const written = [...write.keys()];
  output.json({
    added: what,
    made: written.filter((path) => made.has(path)),
    changed: written.filter((path) => changed.has(path)),
  });
  const { green, yellow, dim } = output.styles;
  if (written.length === 0) return output.line(`${what} is there already: nothing changed`);
  output.line(`added ${what}`);
  for (const path of written)
    output.line(made.has(path) ? `${green('wrote')} ${path}` : `${yellow('changed')} ${path}`);
  for (const line of next) output.line(dim(line));
}

/** Tells that what was to be added is there. */
export function tellPresent({ output }: CommandContext, what: string, path: string): void {
  output.json({ added: what, made: [], changed: [] });
  output.line(`${what} is there already, in ${path}: nothing changed`);
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
