import type { CommandContext } from '../command/command-context.js';
import { reportError } from '../command/report-error.js';
import { findProject } from '../project/find-project.js';
import type { Project } from '../project/project.js';
import { changesIn } from '../project/watch-project.js';

/**
 * Calls `work` immediately and after each change of a file, until the signal of the context aborts. Prints the errors of `work`.
 */
export async function regenerate(
  context: CommandContext,
  project: Project,
  work: (project: Project) => Promise<void>,
): Promise<void> {
  const { output, signal } = context;
  const attempt = async (): Promise<void> => {
    try {
      // Reads the settings of the project again, because they may have changed.
      await work(await findProject(project.root));
    } catch (error) {
      if (!signal.aborted) reportError(error, context);
    }
    if (!signal.aborted) output.note(output.errorStyles.dim('waiting for the next save'));
  };
  const changes = changesIn(project, signal);
  const first = changes.next();
  await attempt();
  for (let change = await first; change.done !== true; change = await changes.next()) await attempt();
}
