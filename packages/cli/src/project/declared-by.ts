import type { CommandContext } from '../command/command-context.js';
import { compileProgram } from './compile-program.js';
import type { InspectedProject } from './inspected-project.js';
import type { Project } from './project.js';
import { projectTools } from './project-tools.js';

/**
 * Compiles a project, and returns the kinds, controllers, and permissions that the program declares. Prints the output of the program,
 * errors of tests, and warnings about the kinds to the standard error. Rejects with the errors of `compile` and `inspect`.
 */
export async function declaredBy(project: Project, context: CommandContext): Promise<InspectedProject> {
  const inspected = await inspectedBy(project, context);
  warn(inspected.warnings, context);
  return inspected;
}

/** Returns the same declarations as `declaredBy`, but does not print the warnings about the kinds. */
export async function inspectedBy(project: Project, context: CommandContext): Promise<InspectedProject> {
  const { signal, env, output } = context;
  await compileProgram(project, context);
  const print = (text: string): void => output.note(text.replace(/\n$/, ''));
  return projectTools(context).inspect(project, { signal, env, print });
}

/** Prints warnings to the standard error. */
export function warn(warnings: readonly string[], { output }: Pick<CommandContext, 'output'>): void {
  for (const warning of warnings) output.note(`${output.errorStyles.yellow('warning:')} ${warning}`);
}
