import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { KubewrightError } from '@kubewright/api/errors';
import { changesOf, type ProjectFiles, writeFiles } from 'create-operator';
import type { CommandContext } from '../command/command-context.js';
import type { Project } from '../project/project.js';

/** The files that a command adds to a project. */
export interface Addition {
  /** The description of the addition in messages: 'Website (web.example.com/v1)'. */
  readonly what: string;
  /** Files to create. A file that already exists must have the same content. */
  readonly created: ProjectFiles;
  /** Existing files to overwrite. */
  readonly changed: ProjectFiles;
  /** The next steps, one line each. */
  readonly next: readonly string[];
}

/**
 * Writes the files of an addition, and prints the result and the next steps. Writes no file if a new file exists with other content.
 * @throws KubewrightError FILE_EXISTS if a new file exists with other content
 */
export async function writeAdded(context: CommandContext, project: Project, addition: Addition): Promise<void> {
  const { output } = context;
  const { what, created, changed, next } = addition;
  const { write } = await changesOf(project.root, { write: new Map([...created, ...changed]) });
  for (const path of write.keys()) {
    if (created.has(path) && (await exists(join(project.root, path)))) {
      throw new KubewrightError(
        'FILE_EXISTS',
        `cannot add ${what}: ${path} already exists with other content; move the file away, or choose another name; no file was written`,
      );
    }
  }
  await writeFiles(project.root, { write });
  const written = [...write.keys()];
  output.json({
    added: what,
    created: written.filter((path) => created.has(path)),
    changed: written.filter((path) => changed.has(path)),
  });
  const { green, yellow, dim } = output.styles;
  if (written.length === 0) return output.line(`nothing changed: ${what} already exists`);
  output.line(`added ${what}`);
  for (const path of written)
    output.line(created.has(path) ? `${green('wrote')} ${path}` : `${yellow('changed')} ${path}`);
  for (const line of next) output.line(dim(line));
}

/** Reports that the addition already exists. */
export function reportExisting({ output }: CommandContext, what: string, path: string): void {
  output.json({ added: what, created: [], changed: [] });
  output.line(`nothing changed: ${what} already exists in ${path}`);
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
